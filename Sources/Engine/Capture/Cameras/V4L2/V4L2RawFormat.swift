import Imagery
import Video4Linux

/// A V4L2 format of sensors and monochrome cameras: one number per pixel, behind a Bayer filter or none.
///
/// The engine reads such a picture as its own format of 8 bits. Formats of compressed samples (A-law, DPCM) are not among them.
struct V4L2RawFormat: Hashable {
  /// The engine's format of the same colours.
  let format: PixelFormat
  let packing: RawPacking

  /// Nil for a format of another kind.
  init?(_ fourCC: FourCC) {
    guard let known = Self.known[fourCC] else { return nil }
    self = known
  }

  private init(_ format: PixelFormat, _ packing: RawPacking) {
    self.format = format
    self.packing = packing
  }

  /// `linux/videodev2.h`. The four names of a row are those of BGGR, GBRG, GRBG and RGGB.
  private static let known: [FourCC: V4L2RawFormat] = {
    let bayer: [(String, RawPacking)] = [
      ("BA81 GBRG GRBG RGGB", RawPacking(bits: 8, .bytes)),
      ("BG10 GB10 BA10 RG10", RawPacking(bits: 10, .lowWords)),
      ("pBAA pGAA pgAA pRAA", RawPacking(bits: 10, .csi2)),
      ("ip3b ip3g ip3G ip3r", RawPacking(bits: 10, .ipu3)),
      ("BG12 GB12 BA12 RG12", RawPacking(bits: 12, .lowWords)),
      ("pBCC pGCC pgCC pRCC", RawPacking(bits: 12, .csi2)),
      ("BG14 GB14 GR14 RG14", RawPacking(bits: 14, .lowWords)),
      ("pBEE pGEE pgEE pREE", RawPacking(bits: 14, .csi2)),
      ("BYR2 GB16 GR16 RG16", RawPacking(bits: 16, .lowWords)),
    ]
    let grey: [(FourCC?, RawPacking)] = [
      (.grey, RawPacking(bits: 8, .bytes)),
      (FourCC("Y10 "), RawPacking(bits: 10, .lowWords)), (FourCC("Y10P"), RawPacking(bits: 10, .csi2)),
      (FourCC("Y10B"), RawPacking(bits: 10, .bits)), (FourCC("ip3y"), RawPacking(bits: 10, .ipu3)),
      (FourCC("Y12 "), RawPacking(bits: 12, .lowWords)), (FourCC("Y012"), RawPacking(bits: 12, .highWords)),
      (FourCC("Y12P"), RawPacking(bits: 12, .csi2)),
      (FourCC("Y14 "), RawPacking(bits: 14, .lowWords)), (FourCC("Y14P"), RawPacking(bits: 14, .csi2)),
      (FourCC("Y16 "), RawPacking(bits: 16, .lowWords)),
      (FourCC("Y16 ")?.bigEndian, RawPacking(bits: 16, .bigEndianWords)),
    ]
    let colors: [PixelFormat] = [.bayerBGGR, .bayerGBRG, .bayerGRBG, .bayerRGGB]
    let pairs = bayer.flatMap { names, packing in
      zip(names.split(separator: " "), colors).map {
        (FourCC(String($0)), V4L2RawFormat($1, packing))
      }
    }
    let all = pairs + grey.map { ($0, V4L2RawFormat(.grey, $1)) }
    return Dictionary(uniqueKeysWithValues: all.compactMap { code, raw in code.map { ($0, raw) } })
  }()
}

extension Colorimetry {
  /// Whether the driver says that samples are proportional to light, as a sensor's are.
  var isLinear: Bool { space == .raw || transfer == .linear }
}
