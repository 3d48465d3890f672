import Bibliography
public import BookScan
import Dispatch
import FoundationEssentials
public import Imagery

/// Reads photos on this machine, one at a time, on its own thread. The recogniser uses every core by itself, and must not block the threads of
/// Swift's tasks.
public final class PhotoReader: Sendable {
  /// The result of reading a photo.
  public struct Reading: Sendable {
    /// The size of the upright photo in pixels.
    public var size: PixelSize
    /// The spines of books, sure and doubtful ones, with clean text, in no particular order.
    public var sightings: [SpineSighting]
    /// Probable non-books, for review.
    public var unlikely: [SpineSighting]

    /// Creates a reading with cleaned texts: for example, a recogniser of Arabic or Hebrew adds direction marks that are not part of a title.
    public init(size: PixelSize, sightings: [SpineSighting], unlikely: [SpineSighting] = []) {
      self.size = size
      self.sightings = sightings.map(Self.cleaned)
      self.unlikely = unlikely.map(Self.cleaned)
    }

    /// Creates a reading of findings with the appearances that they have.
    init(_ findings: PhotoFindings) {
      func sighting(_ spine: SpineFinding) -> SpineSighting {
        SpineSighting(
          spine: spine, look: spine.appearance?.hash, picture: spine.appearance?.picture.map { [UInt8]($0) })
      }
      self.init(
        size: findings.size, sightings: findings.spines.map(sighting),
        unlikely: findings.unlikely.map(sighting))
    }

    private static func cleaned(_ sighting: SpineSighting) -> SpineSighting {
      var sighting = sighting
      sighting.spine.title = CleanText.line(sighting.spine.title)
      sighting.spine.author = sighting.spine.author.map { CleanText.line($0) }
      return sighting
    }
  }

  /// Reads the bytes of a JPEG or PNG file.
  public typealias Reader = @Sendable ([UInt8]) throws -> Reading

  private let reader: Reader
  private let queue = DispatchQueue(label: "SwiftWing.reader", qos: .utility)
  /// The name and version of the recogniser.
  public let name: String

  /// Creates a reader that works in a separate process, which decodes each photo once. Each call tries a photo only once, because the queue counts
  /// how many processes the photo has ended.
  public convenience init(worker: RecognitionWorker, level: RecognitionLevel) {
    self.init(name: worker.name) {
      Reading(try worker.scan($0, level: level, tries: 1, withAppearances: true).findings)
    }
  }

  /// Creates a reader in this process. A failed assertion of a C++ library may end the process.
  public convenience init(recognizer: any TextRecognizer, level: RecognitionLevel) {
    let scanner = BookScanner(recognizer: recognizer)
    self.init(name: recognizer.name) { Reading(try scanner.scan($0, level: level, withAppearances: true)) }
  }

  /// Creates a reader of your own.
  /// - Parameters:
  ///   - name: the name and version of the recogniser.
  ///   - reader: called for one photo at a time; may take any time. If it throws, the scan fails or the next way is tried.
  public init(name: String, reader: @escaping Reader) {
    self.name = name
    self.reader = reader
  }

  /// Reads a photo.
  /// - Parameter bytes: a JPEG or PNG file.
  /// - Throws: `ScanError` if the file is not a picture or cannot be read; the case `ended` if the photo ended the process.
  public func read(_ bytes: [UInt8]) async throws -> Reading {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [reader] in continuation.resume(with: Result { try reader(bytes) }) }
    }
  }
}
