/// The Y′CbCr matrix of a frame (ITU-R BT.601, BT.709, BT.2020 non-constant luminance).
public enum ColorMatrix: String, Sendable, CaseIterable, Codable {
  /// Standard definition, and JPEG.
  case bt601
  /// High definition.
  case bt709
  /// Ultra high definition.
  case bt2020
}

/// The codes of black and white: limited 16–235 (Cb, Cr 16–240), or full 0–255. For 10 bits, limited codes are four
/// times these, and full is 0–1023. RGB has a range too: limited is 16–235 for each of red, green and blue.
public enum ColorRange: String, Sendable, CaseIterable, Codable {
  /// Luma from 16 to 235, chroma from 16 to 240.
  case limited
  /// All codes from 0 to 255.
  case full
}

/// The relation between codes and colours. JPEG is `bt601` `full` by JFIF.
public struct ColorDescription: Hashable, Sendable, Codable {
  /// The matrix that converts between R′G′B′ and Y′CbCr.
  public var matrix: ColorMatrix
  /// The range of codes.
  public var range: ColorRange

  /// Creates a colour description.
  public init(matrix: ColorMatrix, range: ColorRange) {
    self.matrix = matrix
    self.range = range
  }

  /// The colour description that JFIF prescribes for every JPEG picture (ITU-T T.871).
  public static let jpeg = ColorDescription(matrix: .bt601, range: .full)
}

/// Width and height in pixels.
public struct PixelSize: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The number of columns, in pixels.
  public var width: Int
  /// The number of rows, in pixels.
  public var height: Int

  /// Creates a size. It is not checked here, but when memory is allocated for it.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Parses a size as a person writes it, `1024x768`, or as printed here, `1024×768`. Nil for any other text; both sides are above zero.
  public init?(_ text: some StringProtocol) {
    let sides = text.split(
      maxSplits: 2, omittingEmptySubsequences: false, whereSeparator: Self.isTimes)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]), width > 0, height > 0
    else { return nil }
    self.init(width: width, height: height)
  }

  /// Whether the character may separate width and height.
  public static func isTimes(_ character: Character) -> Bool {
    character == "x" || character == "×" || character == "X"
  }

  /// The number of pixels.
  public var area: Int { width * height }
  /// The greater of width and height.
  public var longSide: Int { max(width, height) }
  /// The lesser of width and height.
  public var shortSide: Int { min(width, height) }
  /// The size with width and height exchanged, as after a quarter-turn.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }
  /// Text such as `1280×720`.
  public var description: String { "\(width)×\(height)" }
}

/// The format of a picture in memory.
public struct ImageFormat: Hashable, Sendable, Codable {
  /// The layout of the pixels, or their compression.
  public var pixelFormat: PixelFormat
  /// The size as stored, before any turn.
  public var size: PixelSize
  /// The relation between codes and colours.
  public var color: ColorDescription

  /// Creates a format. The size is not checked here, but where the format is used.
  public init(pixelFormat: PixelFormat, size: PixelSize, color: ColorDescription) {
    self.pixelFormat = pixelFormat
    self.size = size
    self.color = color
  }
}
