/// The colour of light: linear red and blue in BT.709 primaries, with green 1.
struct Illuminant: Hashable, Sendable {
  var red: Double
  var blue: Double

  /// The supported temperatures, in kelvin. Below, BT.709 has no blue for the light.
  static let temperatures = 2200.0...15000.0

  /// Creates the light of a black body.
  /// - Parameters:
  ///   - temperature: in kelvin, clamped to `temperatures`.
  ///   - tint: the distance from the black body's locus in the CIE 1960 diagram, in 1/3000; positive towards green.
  init(temperature: Double, tint: Double = 0) {
    let kelvin = min(max(temperature, Self.temperatures.lowerBound), Self.temperatures.upperBound)
    var (u, v) = Self.chromaticity(kelvin)
    let (before, after) = (Self.chromaticity(kelvin - 10), Self.chromaticity(kelvin + 10))
    // Perpendicular to the locus, towards larger v, where green is.
    let (du, dv) = (after.u - before.u, after.v - before.v)
    let length = (du * du + dv * dv).squareRoot()
    u += -dv / length * (du < 0 ? -1 : 1) * tint / 3000
    v += du / length * (du < 0 ? -1 : 1) * tint / 3000
    let (x, y) = (3 * u / (2 * u - 8 * v + 4), 2 * v / (2 * u - 8 * v + 4))
    let (red, green, blue) = Self.primaries(x / y, (1 - x - y) / y)
    self.red = max(red, 0.01) / max(green, 0.01)
    self.blue = max(blue, 0.01) / max(green, 0.01)
  }

  /// Returns a point on the black body's locus (Kim and others, 2002), in the CIE 1960 diagram.
  private static func chromaticity(_ kelvin: Double) -> (u: Double, v: Double) {
    let t = 1000 / kelvin
    let x =
      kelvin < 4000
      ? -0.2661239 * t * t * t - 0.2343589 * t * t + 0.8776956 * t + 0.179910
      : -3.0258469 * t * t * t + 2.1070379 * t * t + 0.2226347 * t + 0.240390
    let y =
      kelvin < 2222
      ? -1.1063814 * x * x * x - 1.34811020 * x * x + 2.18555832 * x - 0.20219683
      : kelvin < 4000
        ? -0.9549476 * x * x * x - 1.37418593 * x * x + 2.09137015 * x - 0.16748867
        : 3.0817580 * x * x * x - 5.87338670 * x * x + 3.75112997 * x - 0.37001483
    let scale = 12 * y - 2 * x + 3
    return (4 * x / scale, 6 * y / scale)
  }

  /// Returns linear red, green and blue of the CIE colour X, 1, Z, by the matrix of IEC 61966-2-1.
  private static func primaries(_ x: Double, _ z: Double) -> (Double, Double, Double) {
    (
      3.2406 * x - 1.5372 - 0.4986 * z, -0.9689 * x + 1.8758 + 0.0415 * z,
      0.0557 * x - 0.2040 + 1.0570 * z
    )
  }
}
