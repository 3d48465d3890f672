import Glibc

/// A look by its definition, in double precision, with a file of the same content, as a reference for the engine's looks. It shares no code with the
/// engine's reader or interpolation.
package struct ReferenceLook: Sendable {
  package let name: String
  /// The entries of the curves, as red, green and blue. The curves apply before the lattice, or alone without a lattice. Empty without
  /// curves.
  private let curves: [SIMD3<Double>]
  /// Number of nodes along an axis. 0 without a lattice.
  package let size: Int
  /// The nodes; red varies fastest.
  package let nodes: [SIMD3<Double>]
  private let minimum: SIMD3<Double>
  private let maximum: SIMD3<Double>

  private init(
    _ name: String, curves: [SIMD3<Double>] = [], size: Int = 0, minimum: SIMD3<Double> = .zero,
    maximum: SIMD3<Double> = .one, _ node: (SIMD3<Double>) -> SIMD3<Double> = { $0 }
  ) {
    self.name = name
    self.curves = curves
    self.size = size
    self.minimum = minimum
    self.maximum = maximum
    nodes = (0..<size * size * size).map { index in
      var color = minimum
      for (channel, place) in [index % size, index / size % size, index / size / size].enumerated() {
        color[channel] += (maximum[channel] - minimum[channel]) * Double(place) / Double(size - 1)
      }
      return node(color)
    }
  }

  /// Computes a film-like look: blue shadows, yellow lights, a different curve for each channel, and a little crosstalk.
  private static func film(_ color: SIMD3<Double>) -> SIMD3<Double> {
    func curve(_ value: Double) -> Double {
      let light = min(max(value, 0), 1)
      return light * light * (3 - 2 * light)
    }
    let (red, green, blue) = (curve(color.x), curve(color.y), curve(color.z))
    let mean = (red + green + blue) / 3
    func mixed(_ own: Double, shadow: Double, light: Double) -> Double {
      0.85 * own + 0.1 * mean + shadow * (1 - mean) + light * mean
    }
    return SIMD3(
      mixed(red, shadow: 0.02, light: 0.03), mixed(green, shadow: 0.01, light: 0.02),
      mixed(blue, shadow: 0.05, light: -0.03))
  }

  /// A look with 33 nodes per side, as most looks for cameras have, used for measurements.
  package static let measured = ReferenceLook("33³", size: 33, film)

  /// A look of each kind that a file may contain.
  package static let all = [
    measured,
    ReferenceLook(
      "7³ with a domain", size: 7, minimum: SIMD3(-0.1, 0, 0.1), maximum: SIMD3(1.2, 0.9, 2), film),
    ReferenceLook("curves", curves: gamma(17)),
    ReferenceLook("curves before 17³", curves: gamma(9), size: 17, film),
  ]

  private static func gamma(_ count: Int) -> [SIMD3<Double>] {
    (0..<count).map { entry in
      let place = Double(entry) / Double(count - 1)
      return SIMD3(pow(place, 0.8), place, pow(place, 1.3))
    }
  }

  /// The content of the `.cube` file.
  package var file: [UInt8] {
    var lines = ["TITLE \"\(name)\""]
    if !curves.isEmpty { lines.append("LUT_1D_SIZE \(curves.count)") }
    if size > 0 { lines.append("LUT_3D_SIZE \(size)") }
    if minimum != .zero || maximum != .one {
      lines.append("DOMAIN_MIN \(minimum.x) \(minimum.y) \(minimum.z)")
      lines.append("DOMAIN_MAX \(maximum.x) \(maximum.y) \(maximum.z)")
    }
    lines += (curves + nodes).map { "\($0.x) \($0.y) \($0.z)" }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// Applies the look to red, green and blue of 0...255. The result is not rounded.
  package func codes(_ red: Double, _ green: Double, blue: Double) -> SIMD3<Double> {
    var color = SIMD3<Double>(red / 255, green / 255, blue / 255)
    if !curves.isEmpty { color = curved(color) }
    if size > 0 { color = interpolated(color) }
    return SIMD3(
      min(max(color.x, 0), 1) * 255, min(max(color.y, 0), 1) * 255, min(max(color.z, 0), 1) * 255)
  }

  private func curved(_ color: SIMD3<Double>) -> SIMD3<Double> {
    var result = color
    for channel in 0..<3 {
      let place = min(max(color[channel], 0), 1) * Double(curves.count - 1)
      let below = min(Int(place), curves.count - 2)
      let share = place - Double(below)
      result[channel] = curves[below][channel] * (1 - share) + curves[below + 1][channel] * share
    }
    return result
  }

  /// Interpolates in the tetrahedron that contains the colour. Its edges run along the three axes in the order of the fractions, from the
  /// largest to the smallest.
  private func interpolated(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let place = (0..<3).map { channel in
      let unit = (color[channel] - minimum[channel]) / (maximum[channel] - minimum[channel])
      return min(max(unit, 0), 1) * Double(size - 1)
    }
    let cell = (0..<3).map { min(Int(place[$0]), size - 2) }
    let share = (0..<3).map { place[$0] - Double(cell[$0]) }
    var at = cell
    var result = SIMD3<Double>.zero
    var left = 1.0
    for axis in (0..<3).sorted(by: { share[$0] > share[$1] }) {
      result += nodes[at[0] + size * (at[1] + size * at[2])] * (left - share[axis])
      left = share[axis]
      at[axis] += 1
    }
    return result + nodes[at[0] + size * (at[1] + size * at[2])] * left
  }
}
