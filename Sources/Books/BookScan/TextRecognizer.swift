public import Imagery

/// The effort spent on a photo.
public enum RecognitionLevel: String, Sendable, CaseIterable, Codable {
  /// Looks for text on a smaller copy of the photo, for example for a live list.
  case fast
  /// Looks for text at the photo's own resolution.
  case accurate
}

/// A line of text found in a photo.
public struct TextLine: Sendable, Hashable, Codable {
  /// The text, with spaces between its words.
  public var text: String
  /// The recogniser's mean probability of the letters, 0…1.
  public var confidence: Double
  /// The place of the line and the direction in which it reads.
  public var region: TextRegion
  /// The free space before each word but the first, in heights of the line; nil if the recogniser does not report it.
  public var gaps: [Double]?

  /// Creates a line; nothing is checked.
  /// - Parameter confidence: the mean probability of the letters, 0…1.
  public init(text: String, confidence: Double, region: TextRegion, gaps: [Double]? = nil) {
    self.text = text
    self.gaps = gaps
    self.confidence = confidence
    self.region = region
  }
}

/// The lines of a photo, and the recogniser that read them.
public struct TextReading: Sendable, Hashable, Codable {
  /// The lines, in no particular order.
  public var lines: [TextLine]
  /// The recogniser's name with its version.
  public var recognizer: String
  /// Sentences for the user: each says what could not be read, and the remedy. Nil for none.
  public var notes: [String]?
  /// The processor time of finding and reading the text; nil if it was not measured.
  public var cost: ReadingCost?

  /// Creates a reading. A recogniser of your own returns it.
  public init(lines: [TextLine], recognizer: String, notes: [String]? = nil, cost: ReadingCost? = nil) {
    self.lines = lines
    self.recognizer = recognizer
    self.notes = notes
    self.cost = cost
  }
}

/// Finds and reads the lines of text in a photo, in any direction.
public protocol TextRecognizer: AnyObject, Sendable {
  /// The recogniser's name with its version, as shown in reports.
  var name: String { get }

  /// Returns every line of text once, read in the line's own direction.
  /// - Throws: `recognition`, or `image` if memory runs out.
  func read(_ photo: UprightPhoto, level: RecognitionLevel) throws(ScanError) -> TextReading
}

/// A photo decoded and turned upright.
public struct UprightPhoto: Sendable {
  let raster: Raster

  /// The size of the upright photo, pixels.
  public var size: PixelSize { PixelSize(width: raster.width, height: raster.height) }

  /// Decodes a photo and turns it upright.
  /// - Parameter orientation: the turn from the stored pixels to the upright photo.
  /// - Throws: `image` if it cannot be decoded, or if it holds uncompressed pixels and more than 100 megapixels. A JPEG picture
  ///   beyond `ImageLimits.decodedArea` is decoded at a fraction of its size instead.
  public init(_ image: PixelBuffer, orientation: Orientation) throws(ScanError) {
    raster = try Raster.upright(image, orientation)
  }

  /// Decodes a JPEG or PNG file and turns it upright.
  package init(file: [UInt8]) throws(ScanError) {
    let (image, orientation): (PixelBuffer, Orientation)
    do throws(ImageError) { (image, orientation, _) = try ImageFile.read(file) } catch { throw .image(error) }
    try self.init(image, orientation: orientation)
  }

  /// The luma, BT.601 full range, in the format `grey`.
  package func luma() throws(ScanError) -> PixelBuffer {
    do throws(ImageError) {
      let luma = try PixelBufferPool().makeBuffer(
        ImageFormat(pixelFormat: .grey, size: size, color: .jpeg))
      let plane = luma.planes[0]
      raster.writeLuma(
        to: plane.base.assumingMemoryBound(to: UInt8.self), bytesPerRow: plane.bytesPerRow)
      return luma
    } catch {
      throw .image(error)
    }
  }
}
