import CVideo4Linux

/// The primaries and the white point (`enum v4l2_colorspace`).
public enum ColorSpace: UInt32, Sendable, CaseIterable {
  /// The driver does not report it; the kernel derives it from the other values.
  case unspecified = 0
  /// SMPTE 170M: standard-definition television, NTSC and most webcams in Y′CbCr.
  case smpte170M = 1
  /// SMPTE 240M: the first high-definition television, out of use.
  case smpte240M = 2
  /// ITU-R BT.709: high-definition television.
  case rec709 = 3
  /// NTSC of 1953, out of use.
  case system470M = 5
  /// PAL and SECAM of old, ITU-R BT.470 B/G.
  case system470BG = 6
  /// Shorthand for sRGB with BT.601 Y′CbCr at full range.
  case jpeg = 7
  /// sRGB: computers, and most webcams.
  case sRGB = 8
  /// opRGB, also known as Adobe RGB.
  case opRGB = 9
  /// ITU-R BT.2020: ultra-high-definition television.
  case bt2020 = 10
  /// The sensor's own values, not converted to any colour space.
  case raw = 11
  /// DCI-P3: cinema.
  case dciP3 = 12
}

/// The Y′CbCr matrix (`enum v4l2_ycbcr_encoding`).
public enum YCbCrEncoding: UInt32, Sendable, CaseIterable {
  /// The driver does not report it; the kernel derives it from the other values.
  case unspecified = 0
  /// ITU-R BT.601.
  case bt601 = 1
  /// ITU-R BT.709.
  case bt709 = 2
  /// BT.601 with the extended gamut of xvYCC.
  case xv601 = 3
  /// BT.709 with the extended gamut of xvYCC.
  case xv709 = 4
  /// Obsolete; the matrix is that of BT.601.
  case sYCC = 5
  /// ITU-R BT.2020, non-constant luminance.
  case bt2020 = 6
  /// ITU-R BT.2020, constant luminance.
  case bt2020ConstantLuminance = 7
  /// SMPTE 240M.
  case smpte240M = 8
}

/// The codes of black and white (`enum v4l2_quantization`).
public enum Quantization: UInt32, Sendable, CaseIterable {
  /// The driver does not report it; the kernel derives it from the other values.
  case unspecified = 0
  /// Codes 0 to 255.
  case full = 1
  /// Luma 16 to 235, chroma 16 to 240.
  case limited = 2
}

/// The transfer function from light to codes (`enum v4l2_xfer_func`).
public enum TransferFunction: UInt32, Sendable, CaseIterable {
  /// The driver does not report it; the kernel derives it from the other values.
  case unspecified = 0
  /// ITU-R BT.709.
  case rec709 = 1
  /// sRGB.
  case sRGB = 2
  /// opRGB.
  case opRGB = 3
  /// SMPTE 240M.
  case smpte240M = 4
  /// Codes are proportional to light.
  case linear = 5
  /// DCI-P3.
  case dciP3 = 6
  /// SMPTE ST 2084, the curve of HDR10.
  case smpte2084 = 7
}

/// The relation between the codes of a picture and light. A driver may leave any part unspecified; `resolved` fills it in.
public struct Colorimetry: Hashable, Sendable {
  /// The primaries, which also determine the other three values if these are unspecified.
  public var space: ColorSpace
  /// The Y′CbCr matrix, which converts between R′G′B′ and Y′CbCr.
  public var encoding: YCbCrEncoding
  /// The range of codes.
  public var quantization: Quantization
  /// The transfer function.
  public var transfer: TransferFunction

  /// Creates a colorimetry; parts that are not given are unspecified.
  public init(
    space: ColorSpace = .unspecified, encoding: YCbCrEncoding = .unspecified,
    quantization: Quantization = .unspecified, transfer: TransferFunction = .unspecified
  ) {
    self.space = space
    self.encoding = encoding
    self.quantization = quantization
    self.transfer = transfer
  }

  /// Values that this program does not know count as unspecified.
  init(space: UInt32, encoding: UInt32, quantization: UInt32, transfer: UInt32) {
    self.space = ColorSpace(rawValue: space) ?? .unspecified
    self.encoding = YCbCrEncoding(rawValue: encoding) ?? .unspecified
    self.quantization = Quantization(rawValue: quantization) ?? .unspecified
    self.transfer = TransferFunction(rawValue: transfer) ?? .unspecified
  }

  /// Fills in unspecified parts by the kernel's rules: `V4L2_MAP_COLORSPACE_DEFAULT` (as for a webcam: sRGB),
  /// `V4L2_MAP_XFER_FUNC_DEFAULT`, `V4L2_MAP_YCBCR_ENC_DEFAULT` and `V4L2_MAP_QUANTIZATION_DEFAULT`.
  public func resolved(isRGB: Bool) -> Colorimetry {
    var whole = self
    if space == .unspecified { whole.space = ColorSpace(rawValue: cv4l2_default_colorspace(0, 0)) ?? .sRGB }
    let number = whole.space.rawValue
    if transfer == .unspecified {
      whole.transfer = TransferFunction(rawValue: cv4l2_default_transfer(number)) ?? .rec709
    }
    if encoding == .unspecified {
      whole.encoding = YCbCrEncoding(rawValue: cv4l2_default_encoding(number)) ?? .bt601
    }
    if quantization == .unspecified {
      whole.quantization =
        Quantization(rawValue: cv4l2_default_quantization(isRGB ? 1 : 0, number)) ?? .limited
    }
    return whole
  }
}
