import Glibc

/// The transfer function of sRGB (IEC 61966-2-1).
enum SRGBCurve {
  /// - Parameter light: 0 to 1, proportional to light.
  /// - Returns: the code, 0 to 1.
  static func code(_ light: Double) -> Double {
    light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
  }
}
