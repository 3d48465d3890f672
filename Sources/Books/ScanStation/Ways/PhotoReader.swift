import Bibliography
public import BookScan
import Dispatch
public import Imagery
import Library
import Uploads

/// Reads photos on this machine, one at a time, on a thread of its own: the recogniser uses every core by itself, and must
/// not keep the threads of Swift's tasks from their work.
public final class PhotoReader: Sendable {
  /// What a photo was found to hold.
  public struct Reading: Sendable {
    /// Of the upright photo, pixels.
    public var size: PixelSize
    /// The spines of books, sure and doubtful ones, with clean text, in no particular order.
    public var sightings: [SpineSighting]
    /// What is probably no book, for a person to look at.
    public var unlikely: [SpineSighting]

    /// What was read is made clean text: a recogniser of Arabic or Hebrew marks directions that are no part of a title.
    public init(size: PixelSize, sightings: [SpineSighting], unlikely: [SpineSighting] = []) {
      self.size = size
      self.sightings = sightings.map(Self.cleaned)
      self.unlikely = unlikely.map(Self.cleaned)
    }

    private static func cleaned(_ sighting: SpineSighting) -> SpineSighting {
      var sighting = sighting
      sighting.spine.title = CleanText.line(sighting.spine.title)
      sighting.spine.author = sighting.spine.author.map { CleanText.line($0) }
      return sighting
    }
  }

  /// The bytes of a JPEG or PNG file → what is in it.
  public typealias Reader = @Sendable ([UInt8]) throws -> Reading

  private let reader: Reader
  private let queue = DispatchQueue(label: "SwiftWing.reader", qos: .utility)
  /// What runs, with its version.
  public let name: String

  /// Reads in a process of its own. A photo has one try a call: the queue counts how many processes it has ended.
  public convenience init(worker: RecognitionWorker, level: RecognitionLevel) {
    self.init(name: worker.name) { bytes in
      let (image, orientation, _) = try ImageFile.read(bytes)
      let findings = try worker.scan(bytes, level: level, tries: 1).findings
      return try Self.reading(findings, image, orientation: orientation)
    }
  }

  /// Reads by text recognition in this process, which a photo may end with an assertion of a library in C++.
  public convenience init(recognizer: any TextRecognizer, level: RecognitionLevel) {
    let scanner = BookScanner(recognizer: recognizer)
    self.init(name: recognizer.name) { try Self.read($0, scanner, level: level) }
  }

  /// A reader of your own.
  /// - Parameters:
  ///   - name: what runs, with its version.
  ///   - reader: is called for one photo at a time, and may take as long as it needs. What it throws fails the scan, or has the next way try.
  public init(name: String, reader: @escaping Reader) {
    self.name = name
    self.reader = reader
  }

  /// - Parameter bytes: a JPEG or PNG file.
  /// - Throws: `ImageError` for what is no picture, `ScanError` for what cannot be read; `ended` when the process died of it.
  public func read(_ bytes: [UInt8]) async throws -> Reading {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [reader] in continuation.resume(with: Result { try reader(bytes) }) }
    }
  }

  private static func read(
    _ bytes: [UInt8], _ scanner: BookScanner, level: RecognitionLevel
  ) throws -> Reading {
    let (image, orientation, _) = try ImageFile.read(bytes)
    return try reading(
      try scanner.scan(image, orientation: orientation, level: level), image, orientation: orientation)
  }

  private static func reading(
    _ findings: PhotoFindings, _ image: PixelBuffer, orientation: Orientation
  ) throws -> Reading {
    let luma = try UprightLuma.of(image, orientation)
    let pictures = try pictures(findings, image, orientation: orientation)
    func sighting(_ spine: SpineFinding) -> SpineSighting {
      SpineSighting(
        spine: spine, look: PerceptualHash(luma, in: spine.box), picture: pictures[spine.outline])
    }
    return Reading(
      size: findings.size, sightings: findings.spines.map(sighting),
      unlikely: findings.unlikely.map(sighting))
  }

  /// Most pictures of one photo: a person looks at no more, and each is held until it is in the library.
  private static let pictureLimit = 200

  /// Of what a person is to look at, by its outline. A spine of which none can be made has none.
  private static func pictures(
    _ findings: PhotoFindings, _ image: PixelBuffer, orientation: Orientation
  ) throws -> [[Point]: [UInt8]] {
    let shown = (findings.spines.filter { $0.certainty != .sure } + findings.unlikely).prefix(pictureLimit)
    guard !shown.isEmpty else { return [:] }
    let photo = try UprightPhoto(image, orientation: orientation)
    return shown.reduce(into: [:]) { pictures, spine in
      pictures[spine.outline] = try? SpineCrop(photo, outline: spine.outline).jpeg
    }
  }
}

/// The brightness of a picture, upright.
enum UprightLuma {
  /// - Returns: in the format `grey`.
  static func of(_ image: PixelBuffer, _ orientation: Orientation) throws(ImageError) -> PixelBuffer {
    let converter = ImageConverter(pool: PixelBufferPool())
    guard orientation == .upright else {
      // Turning is the photo pipeline's business; photos of the station are upright already.
      let settings = PhotoSettings(
        longSide: nil, maximumLongSide: ImageLimits.side, quality: 95, maximumBytes: nil)
      let photo = try PhotoPipeline().process(image, orientation: orientation, settings: settings)
      return try converter.convert(ImageFile.read(photo.bytes).image, to: .grey, color: .jpeg)
    }
    return try converter.convert(image, to: .grey, color: .jpeg)
  }
}
