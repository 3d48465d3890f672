import CTurboJPEG

/// The purpose of a photo: fast or good. The counterpart of AVFoundation's
/// `AVCapturePhotoOutput.QualityPrioritization`.
///
/// | | `speed` | `balanced` | `quality` |
/// |---|---|---|---|
/// | JPEG is decoded at | the smallest scale not below the photo's size | a fifth more | full size |
/// | reduced by | halving, then a tent | halving, then a Catmull–Rom cubic | the cubic alone |
/// | chroma of a JPEG photo | half size | half size | full size |
/// | JPEG is coded by | the fast transform | the fast transform | the exact transform |
///
/// Sizes, turns, byte limits and colours are the same in all three. This enumeration is closed: no later version adds a case.
public enum PhotoPriority: String, Sendable, Codable, CaseIterable {
  /// The least work: for proxies, and for bursts on slow machines. Fine lines are softer.
  case speed
  /// The default: hardly distinguishable from `quality` at the sizes that models accept.
  case balanced
  /// All the detail of the frame. A photo of a 12-megapixel frame takes several times as long, and has more bytes.
  case quality
}

extension PhotoPriority {
  /// The scale for decoding a JPEG picture, in eighths.
  func eighths(from source: PixelSize, to target: PixelSize) -> Int {
    switch self {
    case .speed: JPEGDecoder.scale(from: source, to: target, tenths: 10)
    case .balanced: JPEGDecoder.scale(from: source, to: target)
    case .quality: 8
    }
  }

  /// Whether luma is reduced with a cubic.
  var isSharp: Bool { self != .speed }

  /// The ratio of source samples to result samples above which four samples are averaged first.
  var halvingRatio: Double {
    switch self {
    case .speed: 2
    case .balanced: 3
    case .quality: .infinity
    }
  }

  func sampling(_ container: PhotoSettings.Container) -> ChromaSampling {
    container == .png || self == .quality ? .s444 : .s420
  }

  /// Flags for the encoder. libjpeg-turbo itself uses the fast transform below quality 96.
  var turboJPEG: Int32 { self == .quality ? TJFLAG_ACCURATEDCT : 0 }
}
