import Imagery
import System

/// The red, green and blue codes of a stored picture, from RGB memory or from the neighbours in a sensor's mosaic, computed
/// independently of the engine.
enum Sensor {
  /// Returns a pixel's red, green and blue, not rounded and in the picture's own range; nil for Y′CbCr and compressed pictures.
  static func rgb(_ image: PixelBuffer, _ x: Int, _ y: Int) -> [Double]? {
    func byte(_ x: Int, _ y: Int) -> Double {
      Double((image.planes[0].base + y * image.planes[0].bytesPerRow).load(fromByteOffset: x, as: UInt8.self))
    }
    switch image.format.pixelFormat {
    case .bgra: return [2, 1, 0].map { byte(x * 4 + $0, y) }
    case .rgba: return [0, 1, 2].map { byte(x * 4 + $0, y) }
    case .xrgb: return [1, 2, 3].map { byte(x * 4 + $0, y) }
    case .rgb24: return [0, 1, 2].map { byte(x * 3 + $0, y) }
    case .bgr24: return [2, 1, 0].map { byte(x * 3 + $0, y) }
    case .bayerBGGR: return mosaic("BGGR", image.format.size, x, y, byte)
    case .bayerGBRG: return mosaic("GBRG", image.format.size, x, y, byte)
    case .bayerGRBG: return mosaic("GRBG", image.format.size, x, y, byte)
    case .bayerRGGB: return mosaic("RGGB", image.format.size, x, y, byte)
    default: return nil
    }
  }

  /// Returns the mean of each colour's nearest sites, mirrored at the edges.
  private static func mosaic(
    _ square: String, _ size: PixelSize, _ x: Int, _ y: Int, _ byte: (Int, Int) -> Double
  ) -> [Double] {
    let sites = Array(square)
    func color(_ x: Int, _ y: Int) -> Character { sites[(y & 1) * 2 + (x & 1)] }
    func site(_ x: Int, _ y: Int) -> Double {
      func inside(_ at: Int, _ count: Int) -> Int {
        at < 0 ? min(1, count - 1) : at >= count ? max(count - 2, 0) : at
      }
      return byte(inside(x, size.width), inside(y, size.height))
    }
    let rings = [[(0, 0)], [(-1, 0), (1, 0), (0, -1), (0, 1)], [(-1, -1), (1, -1), (-1, 1), (1, 1)]]
    return "RGB".map { wanted in
      for ring in rings {
        let values = ring.filter { color(x + $0.0, y + $0.1) == wanted }.map { site(x + $0.0, y + $0.1) }
        if !values.isEmpty { return values.reduce(0, +) / Double(values.count) }
      }
      return 0
    }
  }
}
