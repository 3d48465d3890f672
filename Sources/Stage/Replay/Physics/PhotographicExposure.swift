import Glibc

/// Conversion of light to a level; a level of 1 saturates the sensor.
///
/// By ISO 12232:2019, saturation-based speed, a sensor of speed S saturates at 78/S lx·s, and a lens of f-number N puts 0.65·L·t/N² lx·s of a
/// luminance L on it. By ISO 2720 (K = 12.5), a scene of light value EV has a mean luminance of 0.125·2^EV cd/m².
enum PhotographicExposure {
  /// The level of the metered area at the metered exposure: 12.5/120.
  static let meteredLevel = 12.5 / 120
  /// The mean reflectance that a meter assumes.
  static let greyCard = 0.18

  /// Returns the level of a grey card.
  /// - Parameters:
  ///   - energy: 2^EV integrated over the exposure, in seconds.
  ///   - iso: the ISO sensitivity at which the sensor is read.
  static func level(energy: Double, iso: Double, fNumber: Double) -> Double {
    meteredLevel * energy * iso / (100 * fNumber * fNumber)
  }

  /// Returns the light value for which an exposure time in seconds and an ISO sensitivity are right.
  static func lightValue(duration: Double, iso: Double, fNumber: Double) -> Double {
    log2(fNumber * fNumber * 100 / (duration * iso))
  }

  /// Returns the product of exposure time in seconds and ISO sensitivity that is right for a light value.
  static func product(lightValue: Double, fNumber: Double) -> Double {
    fNumber * fNumber * 100 / exp2(lightValue)
  }
}

/// The opto-electronic transfer function of ITU-R BT.709.
enum BT709Transfer {
  /// - Parameter level: the linear level, 0 to 1.
  static func encoded(_ level: Double) -> Double {
    level < 0.018 ? 4.5 * level : 1.099 * pow(level, 0.45) - 0.099
  }
}
