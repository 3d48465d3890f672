public import Imagery

/// What was found in one photo.
public struct PhotoFindings: Sendable {
  /// What read it, with its version.
  public var recognizer: String
  /// Upright, pixels.
  public var size: PixelSize
  public var lines: [TextLine]
  public var spines: [SpineFinding]
}

/// A photo goes in, findings come out.
public struct BookScanner: Sendable {
  private let recognizer: any TextRecognizer

  public init(recognizer: any TextRecognizer) { self.recognizer = recognizer }

  /// - Parameter orientation: stored pixels → upright.
  /// - Throws: as decoding and recognition do; the next photo may well succeed.
  public func scan(
    _ image: PixelBuffer, orientation: Orientation, level: RecognitionLevel
  ) throws(ScanError) -> PhotoFindings {
    let photo = try UprightPhoto(image, orientation: orientation)
    let reading = try recognizer.read(photo, level: level)
    let barcodes = BarcodeReader.isbns(in: photo)
    return PhotoFindings(
      recognizer: reading.recognizer, size: photo.size, lines: reading.lines,
      spines: SpineFinder(photo: photo).spines(reading.lines, barcodes: barcodes))
  }
}
