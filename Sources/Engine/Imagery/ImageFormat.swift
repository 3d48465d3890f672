/// Which Y′CbCr matrix a frame was made with (ITU-R BT.601, BT.709, BT.2020 non-constant luminance).
public enum ColorMatrix: String, Sendable, CaseIterable, Codable {
  /// Standard definition, and JPEG.
  case bt601
  /// High definition.
  case bt709
  /// Ultra high definition.
  case bt2020
}

/// Which codes are black and white: limited 16–235 (Cb, Cr 16–240), or full 0–255; the same, shifted, for 10 bits. RGB has
/// a range too: limited is 16–235 for each of red, green and blue.
public enum ColorRange: String, Sendable, CaseIterable, Codable {
  /// Luma from 16 to 235, chroma from 16 to 240.
  case limited
  /// All of 0 to 255.
  case full
}

/// How codes become light. JPEG is `bt601` `full` by JFIF.
public struct ColorDescription: Hashable, Sendable, Codable {
  /// Which formula makes colours of luma and chroma.
  public var matrix: ColorMatrix
  /// Whether codes use all of 0 to 255 or 16 to 235.
  public var range: ColorRange

  /// How codes are to be read as colours.
  public init(matrix: ColorMatrix, range: ColorRange) {
    self.matrix = matrix
    self.range = range
  }

  /// What JFIF prescribes for every JPEG picture (ITU-T T.871).
  public static let jpeg = ColorDescription(matrix: .bt601, range: .full)
}

/// Width and height in pixels.
public struct PixelSize: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Columns, in pixels.
  public var width: Int
  /// Rows, in pixels.
  public var height: Int

  /// A size; it is not checked here, but where memory is to be had for it.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// What a person writes, `1024x768`, or what is printed here, `1024×768`. Nil for anything else; both are above zero.
  public init?(_ text: some StringProtocol) {
    let sides = text.split(
      maxSplits: 2, omittingEmptySubsequences: false, whereSeparator: Self.isTimes)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]), width > 0, height > 0
    else { return nil }
    self.init(width: width, height: height)
  }

  /// What stands between width and height.
  public static func isTimes(_ character: Character) -> Bool {
    character == "x" || character == "×" || character == "X"
  }

  /// Pixels in all.
  public var area: Int { width * height }
  /// The greater of width and height.
  public var longSide: Int { max(width, height) }
  /// The lesser of width and height.
  public var shortSide: Int { min(width, height) }
  /// Width and height in each other's place, as after a quarter-turn.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }
  /// Such as `1280×720`.
  public var description: String { "\(width)×\(height)" }
}

/// The format of a picture in memory.
public struct ImageFormat: Hashable, Sendable, Codable {
  /// How pixels are laid out, or compressed.
  public var pixelFormat: PixelFormat
  /// As stored, before any turn.
  public var size: PixelSize
  /// How the codes are to be read as colours.
  public var color: ColorDescription

  /// A format; whether a size is possible in it is checked where it is used.
  public init(pixelFormat: PixelFormat, size: PixelSize, color: ColorDescription) {
    self.pixelFormat = pixelFormat
    self.size = size
    self.color = color
  }
}
