import Bibliography
public import BookScan
import Dispatch
public import Imagery
import Library
import Uploads

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

  /// Creates a reader that works in a separate process. Each call tries a photo only once, because the queue counts how many processes the photo
  /// has ended.
  public convenience init(worker: RecognitionWorker, level: RecognitionLevel) {
    self.init(name: worker.name) { bytes in
      let (image, orientation, _) = try ImageFile.read(bytes)
      let findings = try worker.scan(bytes, level: level, tries: 1).findings
      return try Self.reading(findings, image, orientation: orientation)
    }
  }

  /// Creates a reader in this process. A failed assertion of a C++ library may end the process.
  public convenience init(recognizer: any TextRecognizer, level: RecognitionLevel) {
    let scanner = BookScanner(recognizer: recognizer)
    self.init(name: recognizer.name) { try Self.read($0, scanner, level: level) }
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
  /// - Throws: `ImageError` if it is not a picture, `ScanError` if it cannot be read: `ended` if it ended the process.
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

  /// The maximum number of pictures per photo: a person reviews no more, and each is in memory until it is in the library.
  private static let pictureLimit = 200

  /// Pictures of the spines to be reviewed, by their outlines. A spine whose picture cannot be made is left out.
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

/// Makes the luma of a picture, in upright orientation.
enum UprightLuma {
  /// - Returns: a picture in the format `grey`.
  static func of(_ image: PixelBuffer, _ orientation: Orientation) throws(ImageError) -> PixelBuffer {
    let converter = ImageConverter(pool: PixelBufferPool())
    guard orientation == .upright else {
      // Only `PhotoPipeline` rotates pictures. Photos of the station are upright already.
      let settings = PhotoSettings(
        longSide: nil, maximumLongSide: ImageLimits.side, quality: 95, maximumBytes: nil)
      let photo = try PhotoPipeline().process(image, orientation: orientation, settings: settings)
      return try converter.convert(ImageFile.read(photo.bytes).image, to: .grey, color: .jpeg)
    }
    return try converter.convert(image, to: .grey, color: .jpeg)
  }
}
