import Imagery

/// Exposes frames of a scene, with the lens at any position between the scene's pixels.
final class Exposure {
  private let scene: ScenePicture
  private let optics: Optics
  private let size: PixelSize
  private let noise: [[Int32]]
  private let gains: (x: [Int32], y: [Int32])
  private var filtered: [UInt16] = []
  let image: SensorImage

  init(_ scene: ScenePicture, size: PixelSize, optics: Optics) {
    self.scene = scene
    self.optics = optics
    self.size = size
    noise = (0..<3).map(optics.noise)
    gains = (optics.gains(size.width), optics.gains(size.height))
    image = SensorImage(size)
  }

  /// Exposes `image` while its top left corner moves by `travel`, in pixels of the scene, through (`x`, `y`) at the middle. The scene's edge
  /// pixels extend beyond it.
  func expose(x: Double, y: Double, travel: (x: Double, y: Double) = (0, 0), seed: UInt64) {
    for channel in 0..<3 {
      let step = channel == 0 ? 1 : 2
      let middle = channel == 0 ? 0 : 0.5
      sample(
        channel, Taps(x + middle, travel: travel.x), rows: Taps(y + middle, travel: travel.y), step: step)
      develop(channel, seed: seed)
    }
  }

  /// Samples the channel at every `step`-th pixel into `filtered`, in 64ths of a level.
  private func sample(_ channel: Int, _ columns: Taps, rows: Taps, step: Int) {
    let (width, height) = (size.width / step, size.height / step)
    let rowCount = (height - 1) * step + rows.weights.count
    var across = [UInt16](repeating: 0, count: width * rowCount)
    for row in 0..<rowCount {
      let y = min(max(rows.first + row, 0), scene.size.height - 1)
      filterRow(channel, y, taps: columns, step: step, into: &across, at: row * width, count: width)
    }
    filtered = [UInt16](repeating: 0, count: width * height)
    let weights = rows.weights
    across.withUnsafeBufferPointer { across in
      filtered.withUnsafeMutableBufferPointer { filtered in
        for row in 0..<height {
          for column in 0..<width {
            var (sum, source, tap): (Int32, Int, Int) = (512, row * step * width + column, 0)
            while tap < weights.count {
              sum += weights[tap] * Int32(across[source])
              source += width
              tap += 1
            }
            filtered[row * width + column] = UInt16(sum >> 10)
          }
        }
      }
    }
  }

  private func filterRow(
    _ channel: Int, _ y: Int, taps: Taps, step: Int, into target: inout [UInt16], at start: Int, count: Int
  ) {
    let (last, row, weights) = (scene.size.width - 1, y * scene.size.width, taps.weights)
    scene.channels[channel].withUnsafeBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        for column in 0..<count {
          var (sum, x, tap): (Int32, Int, Int) = (512, taps.first + column * step, 0)
          while tap < weights.count {
            sum += weights[tap] * Int32(source[row + (x < 0 ? 0 : x > last ? last : x)])
            x += 1
            tap += 1
          }
          target[start + column] = UInt16(sum >> 10)
        }
      }
    }
  }

  /// Converts `filtered` to eight bits with noise, and darkens luma towards the edges.
  private func develop(_ channel: Int, seed: UInt64) {
    let (plane, target, luma) = (image.planes[channel], image.pixels(channel), image.pixels(0))
    var random = SensorNoise(seed: seed, channel: channel)
    let noise = noise[channel]
    filtered.withUnsafeBufferPointer { filtered in
      for row in 0..<plane.height {
        for column in 0..<plane.bytesPerRow {
          let index = row * plane.bytesPerRow + column
          var level = Int32(filtered[index])
          let light: Int
          if channel == 0 {
            level = (((level * gains.x[column]) >> 10) * gains.y[row]) >> 10
            light = Int(min(level >> 6, 255))
          } else {
            light = Int(luma[2 * row * size.width + 2 * column])
          }
          level += (random.next() * noise[light]) >> 10
          target[index] = UInt8(min(max((level + 32) >> 6, 0), 255))
        }
      }
    }
  }
}

// Exposures with a rotated camera.
extension Exposure {
  /// Exposes `image` with its centre at a point of the scene, which must be softened already. The device's picture is upright after mirroring it,
  /// if `isMirrored`, and then rotating it clockwise by `degrees`. Bilinear.
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
