import CTurboJPEG

/// What a photo is made for: to be there soon, or to be good. The counterpart of AVFoundation's
/// `AVCapturePhotoOutput.QualityPrioritization`.
///
/// | | `speed` | `balanced` | `quality` |
/// |---|---|---|---|
/// | JPEG is decoded at | the least that is not smaller than the photo | that and a fifth | full size |
/// | reduced by | halving, then a tent | halving, then a Catmull–Rom cubic | the cubic alone |
/// | chroma of a JPEG photo | half size | half size | full size |
/// | JPEG is coded by | the fast transform | the fast transform | the exact transform |
///
/// Sizes, upright pixels, byte limits and colours are the same in all three. This enumeration is closed: no later version adds a case.
public enum PhotoPriority: String, Sendable, Codable, CaseIterable {
  /// The least work: for proxies, and for bursts on slow machines. Fine lines are softer.
  case speed
  /// The default: hardly to be told from `quality` at the sizes that models take.
  case balanced
  /// All that the frame has. A photo of a 12-megapixel frame takes several times as long, and has more bytes.
  case quality
}

extension PhotoPriority {
  /// At which scale a JPEG picture is decoded, in eighths.
  func eighths(from source: PixelSize, to target: PixelSize) -> Int {
    switch self {
    case .speed: JPEGDecoder.scale(from: source, to: target, tenths: 10)
    case .balanced: JPEGDecoder.scale(from: source, to: target)
    case .quality: 8
    }
  }

  /// Luma is reduced with a cubic.
  var isSharp: Bool { self != .speed }

  /// Samples a sample of the result above which four are averaged first.
  var halvingRatio: Double {
    switch self {
    case .speed: 2
    case .balanced: 3
    case .quality: .infinity
    }
  }

  /// Of the photo's chroma.
  func sampling(_ container: PhotoSettings.Container) -> ChromaSampling {
    container == .png || self == .quality ? .s444 : .s420
  }

  /// Flags for the encoder. libjpeg-turbo takes the fast transform by itself below quality 96.
  var turboJPEG: Int32 { self == .quality ? TJFLAG_ACCURATEDCT : 0 }
}
