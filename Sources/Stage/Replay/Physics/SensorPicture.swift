import Glibc
import Imagery
import System

/// The view of a simulated sensor, in NV12, BT.709, limited range.
///
/// The world is a grey card with sixteen vertical bars per picture width in its centre, over half the width and a quarter of the height, and five
/// greys in the lowest eighth. Each row collects light during its own time; photons and the readout add noise (Poisson noise, as a normal
/// distribution of the same variance); then come saturation, white balance and the curve of BT.709.
struct SensorPicture {
  /// Reflectances of the five greys, from the left.
  static let greys: [Double] = [0.02, 0.05, 0.18, 0.36, 0.9]
  /// Reflectances of the bars.
  static let bars = (dark: 0.09, light: 0.36)
  /// Number of dark bars in a picture's width at zoom 1.
  static let periods = 16.0

  private let size: PixelSize
  private let model: SensorModel
  private let noise: [Float]
  private let curve: [Float]

  init(size: PixelSize, model: SensorModel) {
    self.size = size
    self.model = model
    noise = Self.normal(seed: model.seed)
    curve = (0...4095).map { Float(BT709Transfer.encoded(Double($0) / 4095)) }
  }

  /// Returns normally distributed numbers, by the Box-Muller method.
  private static func normal(seed: UInt64) -> [Float] {
    var random = SplitMix64(seed: seed)
    return (0..<4096).map { _ in
      let (radius, turn) = (
        Double.random(in: 1e-300..<1, using: &random), Double.random(in: 0..<1, using: &random)
      )
      return Float((-2 * log(radius)).squareRoot() * cos(2 * Double.pi * turn))
    }
  }

  /// Draws a frame.
  /// - Parameters:
  ///   - start: the time when its first row began to collect light; the last one began `model.readout` later.
  /// - Returns: the metered level: the geometric mean of the levels, clipped at saturation, before any colour.
  func draw(
    _ exposure: SensorExposure, of scene: SensorScene.State, start: MonotonicTime, sequence: UInt32,
    into picture: PixelBuffer
  ) -> Double {
    let light = Illuminant(temperature: scene.temperature, tint: scene.tint)
    let assumed = Illuminant(temperature: exposure.temperature, tint: exposure.tint)
    let color = SensorColor(
      light: (Float(light.red), Float(light.blue)),
      gains: (Float(1 / assumed.red), Float(1 / assumed.blue)))
    let columns = SensorColumns(size: size, model: model, exposure: exposure, scene: scene)
    var random = SplitMix64(seed: model.seed ^ (UInt64(sequence) << 20))
    var sum = 0.0
    for row in stride(from: 0, to: size.height, by: 2) {
      let (seconds, level) = rowLight(row, exposure, scene: scene, start: start)
      let reflectances = columns.reflectances(row: row, after: seconds)
      let scale = Float(level / PhotographicExposure.greyCard)
      sum += Self.metered(reflectances, scale)
      drawRows(
        row, reflectances, scale: scale, color: color, exposure: exposure, place: random.next(),
        picture: picture)
    }
    return exp2(sum / Double((size.height + 1) / 2))
  }

  /// Returns the mean logarithm of the levels in a row. Saturation affects it less than a mean of levels.
  private static func metered(_ reflectances: [Float], _ scale: Float) -> Double {
    var sum = Float(0)
    for reflectance in reflectances { sum += log2(min(max(reflectance * scale, 1e-6), 1)) }
    return Double(sum) / Double(max(reflectances.count, 1))
  }

  /// Returns the time at which two rows begin to collect light, in seconds after the first, and the level of a grey card in them.
  private func rowLight(
    _ row: Int, _ exposure: SensorExposure, scene: SensorScene.State, start: MonotonicTime
  ) -> (Double, Double) {
    let seconds = model.readout * Double(row) / Double(size.height)
    let begin = start + .nanoseconds(Int64(seconds * 1e9))
    let end = begin + .nanoseconds(Int64(exposure.duration * 1e9))
    var energy = scene.energy(from: begin, to: end)
    if let torch = model.torchLight { energy += exposure.torch * exp2(torch) * exposure.duration }
    return (
      seconds, PhotographicExposure.level(energy: energy, iso: exposure.iso, fNumber: model.fNumber)
    )
  }

  private func drawRows(
    _ row: Int, _ reflectances: [Float], scale: Float, color: SensorColor, exposure: SensorExposure,
    place: UInt64, picture: PixelBuffer
  ) {
    // The level of one electron.
    let electron = Float(exposure.iso / (model.isos.lowerBound * model.fullWell))
    let floor = Float(model.readNoise * model.readNoise) * electron * electron
    var index = Int(place & 4095)
    let step = Int(place >> 12 & 1023) * 2 + 1
    let luma = picture.planes[0]
    let chroma = picture.planes[1]
    let isPair = row + 1 < size.height
    reflectances.withUnsafeBufferPointer { reflectances in
      noise.withUnsafeBufferPointer { noise in
        curve.withUnsafeBufferPointer { curve in
          /// Returns one channel, with its noise and gain, after the tone curve: 0 to 1.
          func sensed(_ level: Float, _ gain: Float) -> Float {
            index = (index &+ step) & 4095
            let noisy = level + (level * electron + floor).squareRoot() * noise[index]
            let balanced = min(max(noisy, 0), 1) * gain
            return curve[Int(min(balanced, 1) * 4095 + 0.5)]
          }
          for x in stride(from: 0, to: size.width, by: 2) {
            var (blueness, redness) = (Float(0), Float(0))
            for y in row..<(isPair ? row + 2 : row + 1) {
              for column in x..<min(x + 2, size.width) {
                let level = reflectances[column] * scale
                let red = sensed(level * color.light.red, color.gains.red)
                let green = sensed(level, 1)
                let blue = sensed(level * color.light.blue, color.gains.blue)
                let bright = 0.2126 * red + 0.7152 * green + 0.0722 * blue
                blueness += blue - bright
                redness += red - bright
                luma.base.storeBytes(
                  of: UInt8(16.5 + 219 * bright), toByteOffset: y * luma.bytesPerRow + column, as: UInt8.self)
              }
            }
            let place = row / 2 * chroma.bytesPerRow + x
            chroma.base.storeBytes(of: Self.code(blueness / 4 / 1.8556), toByteOffset: place, as: UInt8.self)
            chroma.base.storeBytes(
              of: Self.code(redness / 4 / 1.5748), toByteOffset: place + 1, as: UInt8.self)
          }
        }
      }
    }
  }

  private static func code(_ difference: Float) -> UInt8 {
    UInt8(min(max(128.5 + 224 * difference, 16), 240))
  }
}

/// The colour of the light, and the gains of the white balance; green is 1 in both.
struct SensorColor {
  var light: (red: Float, blue: Float)
  var gains: (red: Float, blue: Float)
}
