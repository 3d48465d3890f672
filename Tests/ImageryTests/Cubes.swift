import Foundation
import Imagery

/// `.cube` files for tests, with an independent lookup in double precision.
struct Cube {
  var size: Int
  /// Red, green and blue of each node; red varies fastest.
  var nodes: [[Double]]
  var minimum = [0.0, 0, 0]
  var maximum = [1.0, 1, 1]

  /// Creates a cube.
  /// - Parameter value: returns the red, green and blue of the node at a position, whose coordinates are in 0...1.
  init(_ size: Int, _ value: (_ red: Double, _ green: Double, _ blue: Double) -> [Double]) {
    self.size = size
    let unit = 1 / Double(size - 1)
    nodes = (0..<size * size * size).map { index in
      value(
        Double(index % size) * unit, Double(index / size % size) * unit, Double(index / size / size) * unit)
    }
  }

  /// Returns a smooth cube whose three axes differ, so that swapped axes are noticed.
  static func smooth(_ size: Int) -> Cube {
    Cube(size) { r, g, b in
      [0.1 + 0.8 * r * r + 0.1 * b, 0.9 * g + 0.1 * r * b, 0.2 + 0.5 * b.squareRoot() + 0.3 * g * r]
    }
  }

  static func identity(_ size: Int) -> Cube { Cube(size) { [$0, $1, $2] } }

  static func noise(_ size: Int, from low: Double = 0, to high: Double = 1) -> Cube {
    Cube(size) { r, g, b in
      (0..<3).map { channel in
        let noise = Pictures.noise(Int(r * 1000), Int(g * 1000) + channel * 7, Int(b * 1000))
        return low + (high - low) * Double(noise) / 255
      }
    }
  }

  var text: String {
    var lines = ["TITLE \"test\"", "LUT_3D_SIZE \(size)"]
    if minimum != [0, 0, 0] { lines.append("DOMAIN_MIN \(minimum[0]) \(minimum[1]) \(minimum[2])") }
    if maximum != [1, 1, 1] { lines.append("DOMAIN_MAX \(maximum[0]) \(maximum[1]) \(maximum[2])") }
    lines += nodes.map { "\($0[0]) \($0[1]) \($0[2])" }
    return lines.joined(separator: "\n") + "\n"
  }

  func look() throws -> ColorLookup { try ColorLookup(cube: Array(text.utf8)) }

  /// Returns the cube's value for a colour by tetrahedral interpolation, with the six cases as written in the literature.
  func value(_ color: [Double]) -> [Double] {
    let at = (0..<3).map { channel in
      let unit = (color[channel] - minimum[channel]) / (maximum[channel] - minimum[channel])
      return min(max(unit, 0), 1) * Double(size - 1)
    }
    let low = at.map { min(Int($0), size - 2) }
    let (r, g, b) = (at[0] - Double(low[0]), at[1] - Double(low[1]), at[2] - Double(low[2]))
    func node(_ x: Int, _ y: Int, _ z: Int) -> [Double] {
      nodes[low[0] + x + (low[1] + y + (low[2] + z) * size) * size]
    }
    let (dark, bright) = (node(0, 0, 0), node(1, 1, 1))
    let ways: (first: [Double], second: [Double], weights: [Double])
    if r >= g {
      if g >= b {
        ways = (node(1, 0, 0), node(1, 1, 0), [1 - r, r - g, g - b, b])
      } else if r >= b {
        ways = (node(1, 0, 0), node(1, 0, 1), [1 - r, r - b, b - g, g])
      } else {
        ways = (node(0, 0, 1), node(1, 0, 1), [1 - b, b - r, r - g, g])
      }
    } else if b >= g {
      ways = (node(0, 0, 1), node(0, 1, 1), [1 - b, b - g, g - r, r])
    } else if b >= r {
      ways = (node(0, 1, 0), node(0, 1, 1), [1 - g, g - b, b - r, r])
    } else {
      ways = (node(0, 1, 0), node(1, 1, 0), [1 - g, g - r, r - b, b])
    }
    return (0..<3).map { channel in
      dark[channel] * ways.weights[0] + ways.first[channel] * ways.weights[1]
        + ways.second[channel] * ways.weights[2] + bright[channel] * ways.weights[3]
    }
  }

  /// Returns the output codes for input codes of 0...255, clamped and not rounded.
  func codes(_ rgb: [Double]) -> [Double] {
    value(rgb.map { $0 / 255 }).map { min(max($0, 0), 1) * 255 }
  }
}
