public import Imagery

/// How much work a photo is worth.
public enum RecognitionLevel: String, Sendable, CaseIterable, Codable {
  /// Found on a smaller copy: for a live list.
  case fast
  /// Found at the photo's own resolution.
  case accurate
}

/// A line of text found in a photo.
public struct TextLine: Sendable, Hashable, Codable {
  /// What it says, with the spaces between its words.
  public var text: String
  /// 0…1: the recogniser's mean probability of the letters.
  public var confidence: Double
  /// Where it stands, and in which direction it reads.
  public var region: TextRegion
  /// Before each word but the first, what is free of letters, heights of the line; nil where the reader does not tell.
  public var gaps: [Double]?

  /// A line as it is; nothing is checked.
  /// - Parameter confidence: 0…1.
  public init(text: String, confidence: Double, region: TextRegion, gaps: [Double]? = nil) {
    self.text = text
    self.gaps = gaps
    self.confidence = confidence
    self.region = region
  }
}

/// The lines of a photo, and what read them, with its version.
public struct TextReading: Sendable, Hashable, Codable {
  /// The lines, in no particular order.
  public var lines: [TextLine]
  /// What read them, with its version.
  public var recognizer: String
  /// Sentences for the user about what could not be read, and the remedy; nil for none.
  public var notes: [String]?
  /// What it took to look for text and to read it; nil when it was not measured.
  public var cost: ReadingCost?

  /// A reading: what a recogniser of your own returns.
  public init(lines: [TextLine], recognizer: String, notes: [String]? = nil, cost: ReadingCost? = nil) {
    self.lines = lines
    self.recognizer = recognizer
    self.notes = notes
    self.cost = cost
  }
}

/// Finds and reads the lines of text in a photo, whichever way they run.
public protocol TextRecognizer: AnyObject, Sendable {
  /// What runs, with its version, as a report says it.
  var name: String { get }

  /// Every line once, read in its own direction.
  /// - Throws: `recognition`, or `image` for want of memory.
  func read(_ photo: UprightPhoto, level: RecognitionLevel) throws(ScanError) -> TextReading
}

/// A photo decoded and turned upright.
public struct UprightPhoto: Sendable {
  let raster: Raster

  /// Of the upright photo, pixels.
  public var size: PixelSize { PixelSize(width: raster.width, height: raster.height) }

  /// - Parameter orientation: stored pixels → upright.
  /// - Throws: `image` when it cannot be decoded, or is one of plain pixels beyond 100 megapixels. A JPEG picture beyond `ImageLimits.decodedArea` is
  ///   decoded at a fraction of its size.
  public init(_ image: PixelBuffer, orientation: Orientation) throws(ScanError) {
    raster = try Raster.upright(image, orientation)
  }
}
