import Glibc
import Testing

@testable import Dock

@Suite struct FourierTests {
  @Test func thereAndBackIsTheSamePicture() {
    let transform = FourierTransform(side: 16)
    let picture = (0..<256).map { Float(($0 * 7919) % 101) }
    var square = FourierTransform.Square(real: picture)
    transform.forward(&square)
    transform.inverse(&square)
    #expect(zip(square.real, picture).allSatisfy { abs($0 - $1) < 1e-3 })
    #expect(square.imaginary.allSatisfy { abs($0) < 1e-3 })
  }

  /// Compares with the definition of the Fourier transform. The spectrum is stored transposed.
  @Test func theSpectrumIsThatOfTheDefinition() {
    let side = 8
    let picture = (0..<64).map { Float(($0 * 31) % 17) }
    var square = FourierTransform.Square(real: picture)
    FourierTransform(side: side).forward(&square)
    for (u, v) in [(0, 0), (1, 0), (0, 1), (3, 2), (7, 5)] {
      var (real, imaginary) = (0.0, 0.0)
      for y in 0..<side {
        for x in 0..<side {
          let angle = -2 * Double.pi * Double(u * x + v * y) / Double(side)
          real += Double(picture[y * side + x]) * cos(angle)
          imaginary += Double(picture[y * side + x]) * sin(angle)
        }
      }
      #expect(abs(Double(square.real[u * side + v]) - real) < 1e-2, "\(u) \(v)")
      #expect(abs(Double(square.imaginary[u * side + v]) - imaginary) < 1e-2, "\(u) \(v)")
    }
  }
}
