import Imagery
import System

/// Conversion of Y′CbCr to red, green and blue in double precision, straight from the definitions (ITU-R BT.601-7, BT.709-6, BT.2020-2 non-constant
/// luminance; full range as in ITU-T T.871; 10 bits as in BT.2100-2, table 9). Chroma samples are repeated for the luma that they cover. The
/// conversion is independent of the engine's, so that it does not repeat a mistake of the engine.
struct CodedPicture {
  /// The samples of one component in memory.
  struct Samples {
    let base: UnsafeRawPointer
    let bytesPerRow: Int
    /// Bytes from sample to sample.
    let step: Int
    /// Number of luma samples that a sample covers.
    var (across, down) = (1, 1)
    /// Whether samples have 10 bits, in the high bits of a little-endian word.
    var isWide = false

    func code(_ x: Int, _ y: Int) -> Double {
      let place = base + y / down * bytesPerRow + x / across * step
      guard isWide else { return Double(place.load(as: UInt8.self)) }
      return Double(UInt16(littleEndian: place.load(as: UInt16.self)) >> 6)
    }
  }

  let size: PixelSize
  let color: ColorDescription
  let luma: Samples
  /// Nil without colour.
  let chroma: (cb: Samples, cr: Samples)?

  /// Fills a row with red, green and blue of each pixel, 0...255, not rounded.
  func fill(_ row: Int, _ samples: UnsafeMutableBufferPointer<Double>) {
    let (red, blue) =
      switch color.matrix {
      case .bt601: (0.299, 0.114)
      case .bt709: (0.2126, 0.0722)
      case .bt2020: (0.2627, 0.0593)
      }
    let isFull = color.range == .full
    let scale = luma.isWide ? (isFull ? 1023.0 / 255 : 4) : 1
    let zero = luma.isWide ? 512.0 : 128
    let (black, span, chromaSpan) =
      isFull ? (0, 255 * scale, 255 * scale) : (16 * scale, 219 * scale, 224 * scale)
    for x in 0..<size.width {
      let y = (luma.code(x, row) - black) / span
      let cb = chroma.map { ($0.cb.code(x, row) - zero) / chromaSpan } ?? 0
      let cr = chroma.map { ($0.cr.code(x, row) - zero) / chromaSpan } ?? 0
      let (r, b) = (y + 2 * (1 - red) * cr, y + 2 * (1 - blue) * cb)
      let g = (y - red * r - blue * b) / (1 - red - blue)
      samples[x * 3] = min(max(r, 0), 1) * 255
      samples[x * 3 + 1] = min(max(g, 0), 1) * 255
      samples[x * 3 + 2] = min(max(b, 0), 1) * 255
    }
  }

  /// Nil for RGB and compressed pictures.
  init?(_ image: PixelBuffer) {
    let planes = image.planes
    func samples(
      _ plane: Int, _ offset: Int = 0, step: Int, across: Int = 1, down: Int = 1, isWide: Bool = false
    ) -> Samples {
      Samples(
        base: UnsafeRawPointer(planes[plane].base) + offset, bytesPerRow: planes[plane].bytesPerRow,
        step: step,
        across: across, down: down, isWide: isWide)
    }
    func planar(_ across: Int, _ down: Int) -> (Samples, Samples) {
      (samples(1, step: 1, across: across, down: down), samples(2, step: 1, across: across, down: down))
    }
    size = image.format.size
    color = image.format.color
    switch image.format.pixelFormat {
    case .nv12:
      luma = samples(0, step: 1)
      chroma = (samples(1, step: 2, across: 2, down: 2), samples(1, 1, step: 2, across: 2, down: 2))
    case .nv21:
      luma = samples(0, step: 1)
      chroma = (samples(1, 1, step: 2, across: 2, down: 2), samples(1, step: 2, across: 2, down: 2))
    case .nv16:
      luma = samples(0, step: 1)
      chroma = (samples(1, step: 2, across: 2), samples(1, 1, step: 2, across: 2))
    case .i420: (luma, chroma) = (samples(0, step: 1), planar(2, 2))
    case .yv12:
      let (cr, cb) = planar(2, 2)
      luma = samples(0, step: 1)
      chroma = (cb, cr)
    case .i422: (luma, chroma) = (samples(0, step: 1), planar(2, 1))
    case .i444: (luma, chroma) = (samples(0, step: 1), planar(1, 1))
    case .yuyv:
      (luma, chroma) = (
        samples(0, step: 2), (samples(0, 1, step: 4, across: 2), samples(0, 3, step: 4, across: 2))
      )
    case .yvyu:
      (luma, chroma) = (
        samples(0, step: 2), (samples(0, 3, step: 4, across: 2), samples(0, 1, step: 4, across: 2))
      )
    case .uyvy:
      (luma, chroma) = (
        samples(0, 1, step: 2), (samples(0, step: 4, across: 2), samples(0, 2, step: 4, across: 2))
      )
    case .grey: (luma, chroma) = (samples(0, step: 1), nil)
    case .p010:
      luma = samples(0, step: 2, isWide: true)
      chroma = (
        samples(1, step: 4, across: 2, down: 2, isWide: true),
        samples(1, 2, step: 4, across: 2, down: 2, isWide: true)
      )
    case .y210:
      luma = samples(0, step: 4, isWide: true)
      chroma = (
        samples(0, 2, step: 8, across: 2, isWide: true), samples(0, 6, step: 8, across: 2, isWide: true)
      )
    case .bgra, .rgba, .rgb24, .bgr24, .xrgb, .bayerBGGR, .bayerGBRG, .bayerGRBG, .bayerRGGB, .mjpeg:
      return nil
    }
  }

  /// Creates a picture from the planes of a decoded JPEG picture.
  init(size: PixelSize, luma: Samples, chroma: (cb: Samples, cr: Samples)?) {
    self.size = size
    self.color = .jpeg
    self.luma = luma
    self.chroma = chroma
  }
}
