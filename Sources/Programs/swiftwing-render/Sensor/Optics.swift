import System

/// How a sensor and its lens change what they see. The noise is that of luma after development: its standard deviation is
/// √(readNoise² + shotNoise² × level) levels.
struct Optics {
  /// How much darker the picture gets from the middle to each edge, 0…1.
  var fallOff = 0.16
  /// In the dark, in levels, and what light adds, in levels per square root of a level. Together 2.0 levels at 128, as a
  /// webcam indoors.
  var readNoise = 1.0
  var shotNoise = 0.153
  /// Noise of each chroma sample, in parts of luma's there.
  var chromaNoise = 0.5
  /// How long the shutter is open, in frame intervals.
  var shutter = 0.5

  /// A phone in a room: 1.5 levels at 128.
  static let phone = Optics(fallOff: 0.12, readNoise: 0.7, shotNoise: 0.117)

  /// Per column or row, in 1024ths.
  func gains(_ count: Int) -> [Int32] {
    (0..<count).map { index in
      let distance = (Double(index) + 0.5) / Double(count) * 2 - 1
      return Int32((1024 * (1 - fallOff * distance * distance)).rounded())
    }
  }

  /// By level of luma: what `SensorNoise` is multiplied with, in 1024ths, to be noise of `channel` in 64ths of a level.
  func noise(channel: Int) -> [Int32] {
    (0..<256).map { level in
      let deviation = (readNoise * readNoise + shotNoise * shotNoise * Double(level)).squareRoot()
      return Int32(
        (deviation * (channel == 0 ? 1 : chromaNoise) * 64 / SensorNoise.deviation * 1024).rounded())
    }
  }
}

/// Numbers that are nearly normal, in integers: the same on every machine.
struct SensorNoise {
  /// Of four random bytes' sum: √(4 × (256² − 1) / 12).
  static let deviation = 147.8
  private var random: SplitMix64

  init(seed: UInt64, channel: Int) { random = SplitMix64(seed: seed &+ UInt64(channel) << 32) }

  /// The sum of four random bytes, less its mean.
  @inline(__always)
  mutating func next() -> Int32 {
    let bits = random.next()
    let pairs = (bits & 0x00FF_00FF_00FF_00FF) &+ (bits >> 8 & 0x00FF_00FF_00FF_00FF)
    return Int32(truncatingIfNeeded: (pairs & 0xFFFF) + (pairs >> 16 & 0xFFFF)) - 510
  }
}
