import Imagery

/// How a sensor and its lens change what they see.
struct Optics {
  /// How much darker the picture gets from the middle to each edge, 0…1.
  var fallOff = 0.16
  /// Standard deviation of the noise in the dark and how much of a level's square root is added, in levels.
  var readNoise = 0.6
  var shotNoise = 0.05

  /// Per column or row, in 1024ths.
  func gains(_ count: Int) -> [Int32] {
    (0..<count).map { index in
      let distance = (Double(index) + 0.5) / Double(count) * 2 - 1
      return Int32((1024 * (1 - fallOff * distance * distance)).rounded())
    }
  }

  /// By level: what a sum of four random bytes less 510 (standard deviation 147.8) is multiplied with, in 1024ths, to
  /// be noise in 64ths of a level.
  var noise: [Int32] {
    (0..<256).map { level in
      let deviation = (readNoise * readNoise + shotNoise * shotNoise * Double(level)).squareRoot()
      return Int32((deviation * 64 / 147.8 * 1024).rounded())
    }
  }
}

/// Takes frames of a scene through a lens that may stand anywhere between its pixels.
final class Exposure {
  private let scene: ScenePicture
  private let optics: Optics
  private let size: PixelSize
  private let noise: [Int32]
  private let gains: (x: [Int32], y: [Int32])
  private var filtered: [UInt16] = []
  let image: SensorImage

  init(_ scene: ScenePicture, size: PixelSize, optics: Optics) {
    self.scene = scene
    self.optics = optics
    self.size = size
    noise = optics.noise
    gains = (optics.gains(size.width), optics.gains(size.height))
    image = SensorImage(size)
  }

  /// Exposes `image` with its top left corner at (`x`, `y`) of the scene, smoothed by a cubic B-spline, which blurs all
  /// positions between pixels alike. Outside the scene its edge goes on.
  func expose(x: Double, y: Double, seed: UInt64) {
    for channel in 0..<3 {
      let step = channel == 0 ? 1 : 2
      let middle = channel == 0 ? 0 : 0.5
      sample(channel, x: x + middle, y: y + middle, step: step)
      develop(channel, seed: seed)
    }
  }

  /// Whole part and B-spline weights, in 1024ths, of a position.
  private static func taps(_ position: Double) -> (first: Int, weights: [Int32]) {
    let whole = position.rounded(.down)
    let t = position - whole
    let parts = [
      (1 - t) * (1 - t) * (1 - t), 3 * t * t * t - 6 * t * t + 4, -3 * t * t * t + 3 * t * t + 3 * t + 1,
      t * t * t,
    ]
    var weights = parts.map { Int32(($0 / 6 * 1024).rounded()) }
    weights[1] += 1024 - weights.reduce(0, +)
    return (Int(whole) - 1, weights)
  }

  /// `filtered` becomes the channel at every `step`-th pixel from (`x`, `y`), in 64ths of a level.
  private func sample(_ channel: Int, x: Double, y: Double, step: Int) {
    let (width, height) = (size.width / step, size.height / step)
    let (columns, rows) = (Self.taps(x), Self.taps(y))
    let rowCount = (height - 1) * step + 4
    var across = [UInt16](repeating: 0, count: width * rowCount)
    for row in 0..<rowCount {
      let y = min(max(rows.first + row, 0), scene.size.height - 1)
      filterRow(channel, y, columns, step: step, into: &across, at: row * width, count: width)
    }
    filtered = [UInt16](repeating: 0, count: width * height)
    let (w0, w1, w2, w3) = (rows.weights[0], rows.weights[1], rows.weights[2], rows.weights[3])
    across.withUnsafeBufferPointer { across in
      filtered.withUnsafeMutableBufferPointer { filtered in
        for row in 0..<height {
          let source = row * step * width
          for column in source..<source + width {
            let sum =
              w0 * Int32(across[column]) + w1 * Int32(across[column + width])
              + w2 * Int32(across[column + 2 * width]) + w3 * Int32(across[column + 3 * width])
            filtered[row * width + column - source] = UInt16((sum + 512) >> 10)
          }
        }
      }
    }
  }

  private func filterRow(
    _ channel: Int, _ y: Int, _ taps: (first: Int, weights: [Int32]), step: Int, into target: inout [UInt16],
    at start: Int, count: Int
  ) {
    let (last, row) = (scene.size.width - 1, y * scene.size.width)
    let (w0, w1, w2, w3) = (taps.weights[0], taps.weights[1], taps.weights[2], taps.weights[3])
    scene.channels[channel].withUnsafeBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        for column in 0..<count {
          let x = taps.first + column * step
          let sum =
            w0 * Int32(source[row + min(max(x, 0), last)]) + w1
            * Int32(source[row + min(max(x + 1, 0), last)])
            + w2 * Int32(source[row + min(max(x + 2, 0), last)]) + w3
            * Int32(source[row + min(max(x + 3, 0), last)])
          target[start + column] = UInt16((sum + 512) >> 10)
        }
      }
    }
  }

  /// `filtered` → eight bits, darker to the edges and noisy in luma.
  private func develop(_ channel: Int, seed: UInt64) {
    let (plane, target) = (image.planes[channel], image.pixels(channel))
    var random = SplitMix(seed)
    filtered.withUnsafeBufferPointer { filtered in
      for row in 0..<plane.height {
        for column in 0..<plane.bytesPerRow {
          let index = row * plane.bytesPerRow + column
          var level = Int32(filtered[index])
          if channel == 0 {
            level = (((level * gains.x[column]) >> 10) * gains.y[row]) >> 10
            level += (Self.noise(&random) * noise[Int(min(level >> 6, 255))]) >> 10
          }
          target[index] = UInt8(min(max((level + 32) >> 6, 0), 255))
        }
      }
    }
  }

  /// The sum of four random bytes, less its mean: nearly normal.
  @inline(__always)
  private static func noise(_ random: inout SplitMix) -> Int32 {
    let bits = random.next()
    let pairs = (bits & 0x00FF_00FF_00FF_00FF) &+ (bits >> 8 & 0x00FF_00FF_00FF_00FF)
    return Int32(truncatingIfNeeded: (pairs & 0xFFFF) + (pairs >> 16 & 0xFFFF)) - 510
  }
}

// A camera that turns.
extension Exposure {
  /// Exposes `image` with its centre at a point of the (already softened) scene, the scene seen through a device whose
  /// picture must be mirrored, if `isMirrored`, and then turned clockwise by `degrees` to be upright. Bilinear.
  func expose(center: (x: Double, y: Double), degrees: Double, isMirrored: Bool, seed: UInt64) {
    let (sine, cosine) = Turn.sineAndCosine(degrees)
    for channel in 0..<3 {
      let plane = image.planes[channel]
      let step = channel == 0 ? 1.0 : 2.0
      let middle = (x: Double(plane.bytesPerRow) / 2, y: Double(plane.height) / 2)
      filtered = [UInt16](repeating: 0, count: plane.bytesPerRow * plane.height)
      for row in 0..<plane.height {
        let y = (Double(row) + 0.5 - middle.y) * step
        for column in 0..<plane.bytesPerRow {
          let across = (Double(column) + 0.5 - middle.x) * step
          let x = isMirrored ? -across : across
          filtered[row * plane.bytesPerRow + column] = level(
            channel, x: center.x + x * cosine - y * sine - 0.5, y: center.y + x * sine + y * cosine - 0.5)
        }
      }
      develop(channel, seed: seed)
    }
  }

  private func level(_ channel: Int, x: Double, y: Double) -> UInt16 {
    let x = min(max(x, 0), Double(scene.size.width - 2))
    let y = min(max(y, 0), Double(scene.size.height - 2))
    let (left, top) = (Int(x), Int(y))
    let (dx, dy) = (Int32((x - Double(left)) * 256), Int32((y - Double(top)) * 256))
    return scene.channels[channel].withUnsafeBufferPointer { source in
      let index = top * scene.size.width + left
      let upper = Int32(source[index]) * (256 - dx) + Int32(source[index + 1]) * dx
      let below = index + scene.size.width
      let lower = Int32(source[below]) * (256 - dx) + Int32(source[below + 1]) * dx
      return UInt16(((upper >> 8) * (256 - dy) + (lower >> 8) * dy) >> 8)
    }
  }
}
