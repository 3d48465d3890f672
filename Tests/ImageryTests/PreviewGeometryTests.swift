import Glibc
import System
import Testing

@testable import Imagery

/// Conversions between points of the surface and of the stored picture.
@Suite struct PreviewGeometryTests {
  /// Checks 121 points in each of 96 geometries: two surfaces, every orientation, fill and fit, three zooms.
  @Test func pointsComeBackToWithinHalfAPixel() {
    let source = PixelSize(width: 1920, height: 1080)
    for surface in [PixelSize(width: 375, height: 667), PixelSize(width: 1440, height: 900)] {
      for orientation in Orientation.allCases {
        for gravity in [PreviewGeometry.Gravity.fill, .fit] {
          for zoom in [1, 1.7, 4] {
            let geometry = PreviewGeometry(
              source: source, orientation: orientation, surface: surface, gravity: gravity, zoom: zoom)
            #expect(worst(geometry) <= 0.5, "\(orientation) \(gravity) \(zoom) \(surface)")
          }
        }
      }
    }
  }

  /// Returns the greatest distance, in surface pixels, between a point and the position at which its device point is shown.
  private func worst(_ geometry: PreviewGeometry) -> Double {
    var worst = 0.0
    for row in 0...10 {
      for column in 0...10 {
        let (u, v) = (0.45 + Double(column) / 100, 0.45 + Double(row) / 100)
        let (x, y) = (u * Double(geometry.surface.width), v * Double(geometry.surface.height))
        let device = geometry.devicePoint(x: x, y: y)
        let shown = geometry.surfacePoint(x: device.x, y: device.y)
        worst = max(worst, hypot(shown.x - x, shown.y - y))
      }
    }
    return worst
  }

  /// The renderer and the geometry agree: a bright pixel is drawn where the geometry places it.
  @Test func theRendererDrawsWhereTheGeometrySays() throws {
    let (source, surface) = (PixelSize(width: 320, height: 180), PixelSize(width: 120, height: 160))
    let pool = PixelBufferPool()
    let picture = try pool.makeBuffer(
      ImageFormat(pixelFormat: .grey, size: source, color: ColorDescription(matrix: .bt709, range: .full)))
    let plane = picture.planes[0]
    let (left, top) = (140, 80)
    for row in 0..<source.height {
      for column in 0..<source.width {
        let isBright = (left..<left + 8).contains(column) && (top..<top + 8).contains(row)
        plane.pointer[row * plane.bytesPerRow + column] = isBright ? 255 : 0
      }
    }
    for orientation in Orientation.allCases {
      for zoom in [1.0, 2] {
        let shown = try pool.makeBuffer(
          ImageFormat(
            pixelFormat: .bgra, size: surface, color: ColorDescription(matrix: .bt709, range: .full)))
        try PreviewRenderer().render(picture, orientation: orientation, zoom: zoom, into: shown)
        let geometry = PreviewGeometry(source: source, orientation: orientation, surface: surface, zoom: zoom)
        let wanted = geometry.surfacePoint(
          x: Double(left + 4) / Double(source.width), y: Double(top + 4) / Double(source.height))
        let found = centre(of: shown)
        #expect(hypot(found.x - wanted.x, found.y - wanted.y) <= 0.5, "\(orientation) at \(zoom)")
      }
    }
  }

  private func centre(of image: PixelBuffer) -> (x: Double, y: Double) {
    let (plane, size) = (image.planes[0], image.format.size)
    var (sum, x, y) = (0.0, 0.0, 0.0)
    for row in 0..<size.height {
      for column in 0..<size.width {
        let light = Double(plane.pointer[row * plane.bytesPerRow + column * 4])
        (sum, x, y) = (sum + light, x + light * (Double(column) + 0.5), y + light * (Double(row) + 0.5))
      }
    }
    return (x / max(sum, 1), y / max(sum, 1))
  }

  @Test func besideThePictureTheNearestPointCounts() {
    let geometry = PreviewGeometry(
      source: PixelSize(width: 1600, height: 900), orientation: .upright,
      surface: PixelSize(width: 400, height: 400),
      gravity: .fit)
    for (x, y, u, v) in [(200.0, 5.0, 0.5, 0.0), (-50, 1000, 0, 1), (.nan, 200, 0.5, 0.5)] {
      let point = geometry.devicePoint(x: x, y: y)
      #expect(point.x == u && point.y == v)
    }
  }
}

@Suite struct ExposureMeterTests {
  private func picture(_ format: PixelFormat, code: UInt8, range: ColorRange) throws -> PixelBuffer {
    let buffer = try PixelBufferPool().makeBuffer(
      ImageFormat(
        pixelFormat: format, size: PixelSize(width: 64, height: 48),
        color: ColorDescription(matrix: .bt709, range: range)))
    memset(buffer.planes[0].base, Int32(code), buffer.planes[0].byteCount)
    return buffer
  }

  /// Light of 18 % has the code 0.409 in BT.709. Each stop of light changes the offset by one.
  @Test(arguments: [
    (104, ColorRange.full, 0.0), (106, .limited, 0), (255, .full, 3), (64, .full, -1.19), (0, .full, -8),
  ])
  func anOffsetIsInStops(code: UInt8, range: ColorRange, offset: Double) throws {
    let found = try #require(ExposureMeter().offset(of: picture(.nv12, code: code, range: range)))
    #expect(abs(found - offset) < 0.05)
  }

  /// Returns eight vertical bars of grey under a light of `stops`, with codes clipped at `end`.
  private func greys(_ stops: Double, endingAt end: UInt8 = 255) throws -> PixelBuffer {
    let picture = try self.picture(.grey, code: 0, range: .full)
    let plane = picture.planes[0]
    for row in 0..<48 {
      for column in 0..<64 {
        let level = [0.02, 0.05, 0.18, 0.18, 0.18, 0.18, 0.18, 0.36][column / 8] * exp2(stops)
        let code = level < 0.018 ? 4.5 * level : 1.099 * pow(level, 0.45) - 0.099
        plane.pointer[row * plane.bytesPerRow + column] = UInt8(min(255 * code, Double(end)).rounded())
      }
    }
    return picture
  }

  /// In a mostly white picture, the offset is measured by comparison with the previous picture.
  @Test(arguments: [2.0, 3, 3.5, -3], [255, 245] as [UInt8])
  func whiteIsMeasuredByThePictureBefore(stops: Double, end: UInt8) throws {
    let meter = ExposureMeter()
    let before = try #require(meter.offset(of: greys(0)))
    let again = try #require(meter.offset(of: greys(0)))
    #expect(abs(before) < 0.3 && again == before)
    let after = try #require(meter.offset(of: greys(stops, endingAt: end)))
    #expect(abs(after - before - stops) < 0.1)
  }

  /// Returns the same bars as a sensor with a full-well capacity of `electrons` sees them: with photon and read-out noise, clipped
  /// at black and white.
  private func noisyGreys(_ stops: Double, electrons: Double, seed: UInt64) throws -> PixelBuffer {
    var random = SplitMix64(seed: seed)
    let picture = try self.picture(.grey, code: 0, range: .full)
    let plane = picture.planes[0]
    for row in 0..<48 {
      for column in 0..<64 {
        let level = [0.02, 0.05, 0.18, 0.18, 0.18, 0.18, 0.18, 0.36][column / 8] * exp2(stops)
        // The sum of twelve uniform numbers is nearly normally distributed.
        let noise = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
        let seen = min(
          max(level + (level / electrons + 9 / (electrons * electrons)).squareRoot() * noise, 0), 1)
        let code = seen < 0.018 ? 4.5 * seen : 1.099 * pow(seen, 0.45) - 0.099
        plane.pointer[row * plane.bytesPerRow + column] = UInt8((255 * code).rounded())
      }
    }
    return picture
  }

  /// At high sensitivities, noise changes the measured offset by less than 0.15 EV, and a measured step of 2 or 3 EV by less than
  /// 0.25 EV, even in a clipped picture.
  @Test(arguments: [400.0, 50, 25]) func noiseIsNoLight(electrons: Double) throws {
    let clean = try #require(ExposureMeter().offset(of: greys(0)))
    let meter = ExposureMeter()
    let before = try #require(meter.offset(of: noisyGreys(0, electrons: electrons, seed: 1)))
    #expect(abs(before - clean) < 0.15)
    _ = try meter.offset(of: noisyGreys(0, electrons: electrons, seed: 2))
    for (stops, seed) in [(2.0, 3), (3, 4)] as [(Double, UInt64)] {
      let after = try #require(meter.offset(of: noisyGreys(stops, electrons: electrons, seed: seed)))
      #expect(abs(after - before - stops) < 0.25, "\(stops) EV")
    }
  }

  @Test func aCompressedPictureIsMeteredToo() throws {
    let grey = try picture(.grey, code: 104, range: .full)
    let loader = PlanarLoader(damage: .keep)
    let bytes = try JPEGEncoder().encode(try loader.load(grey).image, quality: 90, orientation: .upright)
    let jpeg = try bytes.withUnsafeBytes { raw in
      try PixelBufferPool().makeBuffer(
        ImageFormat(pixelFormat: .mjpeg, size: grey.format.size, color: .jpeg), compressed: raw)
    }
    let offset = try #require(ExposureMeter().offset(of: jpeg))
    #expect(abs(offset) < 0.1)
  }
}
