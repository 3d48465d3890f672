/// The input range of one channel of a table.
struct ChannelDomain: Hashable, Sendable {
  let minimum: Double
  let maximum: Double

  /// The position of a value among `count` entries, 0...`count − 1`; the nearest end if the value is outside the domain.
  func position(of value: Double, among count: Int) -> Double {
    let position = (value - minimum) / (maximum - minimum) * Double(count - 1)
    return position.isNaN ? 0 : min(max(position, 0), Double(count - 1))
  }
}

/// A curve for each of red, green and blue (a 1D table), linear between its entries.
struct LookupCurves: Hashable, Sendable {
  let size: Int
  let domain: [ChannelDomain]
  /// Red, green and blue of each entry.
  let values: [Float]

  func value(_ input: SIMD3<Double>) -> SIMD3<Double> {
    var result = SIMD3<Double>()
    for channel in 0..<3 {
      let position = domain[channel].position(of: input[channel], among: size)
      let index = min(Int(position), size - 2)
      let (low, high) = (Double(values[index * 3 + channel]), Double(values[index * 3 + 3 + channel]))
      result[channel] = low + (high - low) * (position - Double(index))
    }
    return result
  }
}

/// A cube of colours (a 3D table). Neighbours along red are adjacent, as in the file.
struct LookupLattice: Hashable, Sendable {
  /// The number of nodes along each axis.
  let size: Int
  let domain: [ChannelDomain]
  /// Red, green and blue of each node.
  let values: [Float]

  /// The distance, in nodes, to the next node along red, green and blue.
  var strides: [Int] { [1, size, size * size] }

  func node(_ index: Int) -> SIMD3<Double> {
    SIMD3(Double(values[index * 3]), Double(values[index * 3 + 1]), Double(values[index * 3 + 2]))
  }

  /// Tetrahedral interpolation (Kasson, Nin, Plouffe, Hafner, "Performing color space conversions with three-dimensional linear
  /// interpolation", J. Electronic Imaging 4(3), 1995): the cell's six tetrahedra share its grey diagonal, and the way from its dark
  /// corner to its bright one goes along the axes in the order of their fractions.
  func value(_ input: SIMD3<Double>) -> SIMD3<Double> {
    var (corner, fractions) = (0, [Double]())
    for channel in 0..<3 {
      let position = domain[channel].position(of: input[channel], among: size)
      let index = min(Int(position), size - 2)
      corner += index * strides[channel]
      fractions.append(position - Double(index))
    }
    let order = [0, 1, 2].sorted { fractions[$0] > fractions[$1] }
    var result: SIMD3<Double> = node(corner) * (1 - fractions[order[0]])
    for (place, axis) in order.enumerated() {
      corner += strides[axis]
      let next = place < 2 ? fractions[order[place + 1]] : 0
      result += node(corner) * (fractions[axis] - next)
    }
    return result
  }
}
