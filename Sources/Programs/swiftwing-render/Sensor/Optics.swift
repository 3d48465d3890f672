import System

/// The effects of a sensor and its lens. The noise is that of luma after development; its standard deviation is √(readNoise² + shotNoise² ×
/// level) levels.
struct Optics {
  /// The darkening from the middle to each edge, 0…1.
  var fallOff = 0.16
  /// The noise in the dark, in levels. Together with `shotNoise`, the noise at level 128 is 2.0 levels, like that of a webcam indoors.
  var readNoise = 1.0
  /// The noise added by light, in levels per square root of a level.
  var shotNoise = 0.153
  /// The noise of each chroma sample, as a fraction of luma's noise at the same place.
  var chromaNoise = 0.5
  /// The exposure time in frame intervals.
  var shutter = 0.5

  /// A phone in a room: 1.5 levels of noise at 128.
  static let phone = Optics(fallOff: 0.12, readNoise: 0.7, shotNoise: 0.117)

  /// The gain of each column or row, in 1024ths.
  func gains(_ count: Int) -> [Int32] {
    (0..<count).map { index in
      let distance = (Double(index) + 0.5) / Double(count) * 2 - 1
      return Int32((1024 * (1 - fallOff * distance * distance)).rounded())
    }
  }

  /// The factors, in 1024ths, by which `SensorNoise` is multiplied to give the noise of `channel` in 64ths of a level. Indexed by the level
  /// of luma.
  func noise(channel: Int) -> [Int32] {
    (0..<256).map { level in
      let deviation = (readNoise * readNoise + shotNoise * shotNoise * Double(level)).squareRoot()
      return Int32(
        (deviation * (channel == 0 ? 1 : chromaNoise) * 64 / SensorNoise.deviation * 1024).rounded())
    }
  }
}

/// Approximately normal numbers, computed with integers, so that they are the same on every machine.
struct SensorNoise {
  /// The standard deviation of the sum of four random bytes: √(4 × (256² − 1) / 12).
  static let deviation = 147.8
  private var random: SplitMix64

  init(seed: UInt64, channel: Int) { random = SplitMix64(seed: seed &+ UInt64(channel) << 32) }

  /// The sum of four random bytes minus its mean.
  @inline(__always)
  mutating func next() -> Int32 {
    let bits = random.next()
    let pairs = (bits & 0x00FF_00FF_00FF_00FF) &+ (bits >> 8 & 0x00FF_00FF_00FF_00FF)
    return Int32(truncatingIfNeeded: (pairs & 0xFFFF) + (pairs >> 16 & 0xFFFF)) - 510
  }
}
