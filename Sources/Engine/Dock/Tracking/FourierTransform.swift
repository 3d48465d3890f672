import Glibc

/// The discrete Fourier transform of square pictures, by Cooley and Tukey's method (1965).
///
/// Each step processes whole rows, which the compiler turns into vector instructions: columns, transposition, columns again.
/// A spectrum is therefore transposed: row v, column u has the horizontal frequency v and the vertical frequency u. `inverse` expects this form.
struct FourierTransform {
  /// Real and imaginary parts of a square, row by row.
  struct Square {
    var real: [Float]
    var imaginary: [Float]

    init(real: [Float]) {
      self.real = real
      imaginary = [Float](repeating: 0, count: real.count)
    }

    init(zeros count: Int) { self.init(real: [Float](repeating: 0, count: count)) }
  }

  /// The number of rows, and of columns.
  let side: Int
  private let cosines: [Float]
  private let sines: [Float]
  private let order: [Int]

  /// - Parameter side: a power of two from 4 to 512.
  init(side: Int) {
    precondition((4...512).contains(side) && side & (side - 1) == 0, "the side is a power of two")
    self.side = side
    let angles = (0..<side / 2).map { -2 * Double.pi * Double($0) / Double(side) }
    cosines = angles.map { Float(cos($0)) }
    sines = angles.map { Float(sin($0)) }
    let bits = side.trailingZeroBitCount
    order = (0..<side).map { index in
      (0..<bits).reduce(0) { $0 | ((index >> $1) & 1) << (bits - 1 - $1) }
    }
  }

  /// Transforms a picture to its spectrum.
  func forward(_ square: inout Square) {
    columns(&square, sign: 1)
    transpose(&square)
    columns(&square, sign: 1)
  }

  /// Transforms a spectrum to its picture, including the factor that undoes `forward`.
  func inverse(_ square: inout Square) {
    columns(&square, sign: -1)
    transpose(&square)
    columns(&square, sign: -1)
    let factor = 1 / Float(side * side)
    for index in square.real.indices {
      square.real[index] *= factor
      square.imaginary[index] *= factor
    }
  }

  /// - Parameter sign: the sign of the sines; −1 for the inverse.
  private func columns(_ square: inout Square, sign: Float) {
    square.real.withUnsafeMutableBufferPointer { real in
      square.imaginary.withUnsafeMutableBufferPointer { imaginary in
        guard let real = real.baseAddress, let imaginary = imaginary.baseAddress else { return }
        sortRows(real, imaginary)
        var half = 1
        while half < side {
          for start in stride(from: 0, to: side, by: half * 2) {
            for step in 0..<half {
              let turn = step * (side / 2 / half)
              join(
                real, imaginary, upper: start + step, lower: start + step + half, cosine: cosines[turn],
                sine: sign * sines[turn])
            }
          }
          half *= 2
        }
      }
    }
  }

  private func sortRows(_ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>) {
    for row in 0..<side where order[row] > row {
      for column in 0..<side {
        let (one, other) = (row * side + column, order[row] * side + column)
        (real[one], real[other]) = (real[other], real[one])
        (imaginary[one], imaginary[other]) = (imaginary[other], imaginary[one])
      }
    }
  }

  /// Computes the butterfly of two rows.
  private func join(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>, upper: Int,
    lower: Int, cosine: Float, sine: Float
  ) {
    let (upperReal, upperImaginary) = (real + upper * side, imaginary + upper * side)
    let (lowerReal, lowerImaginary) = (real + lower * side, imaginary + lower * side)
    for column in 0..<side {
      let turnedReal = lowerReal[column] * cosine - lowerImaginary[column] * sine
      let turnedImaginary = lowerReal[column] * sine + lowerImaginary[column] * cosine
      lowerReal[column] = upperReal[column] - turnedReal
      lowerImaginary[column] = upperImaginary[column] - turnedImaginary
      upperReal[column] += turnedReal
      upperImaginary[column] += turnedImaginary
    }
  }

  private func transpose(_ square: inout Square) {
    for row in 0..<side {
      for column in row + 1..<max(side, row + 1) {
        square.real.swapAt(row * side + column, column * side + row)
        square.imaginary.swapAt(row * side + column, column * side + row)
      }
    }
  }
}
