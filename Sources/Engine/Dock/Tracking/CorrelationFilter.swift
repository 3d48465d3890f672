import Glibc

/// Finds a subject near where it was: MOSSE, a filter whose correlation with the subject is a narrow peak (Bolme, Beveridge, Draper and
/// Lui, "Visual Object Tracking using Adaptive Correlation Filters", CVPR 2010).
///
/// The window that is looked at has twice the subject's width and height.
struct CorrelationFilter {
  /// What was found in a window.
  struct Peak {
    /// How far the subject is from where it was looked for, in its own widths and heights.
    var x: Double
    var y: Double
    /// Peak-to-sidelobe ratio: how many standard deviations of the rest the peak is above their mean.
    var sharpness: Double
  }

  /// The window, in subjects.
  static let margin = 2.0

  private let transform: FourierTransform
  private let taper: [Float]
  private let wanted: FourierTransform.Square
  private var numerator: FourierTransform.Square
  private var denominator: [Float]

  /// Learns a subject from one picture, also a little turned and scaled.
  init(_ transform: FourierTransform, subject: DockRect, in picture: LumaPicture) {
    self.transform = transform
    let side = transform.side
    taper = Self.taper(side)
    var wanted = FourierTransform.Square(real: Self.target(side))
    transform.forward(&wanted)
    self.wanted = wanted
    numerator = FourierTransform.Square(zeros: side * side)
    denominator = [Float](repeating: 0, count: side * side)
    for (turn, scale) in [
      (0.0, 1.0), (-0.08, 1), (0.08, 1), (0, 0.95), (0, 1.05), (-0.04, 1.03), (0.04, 0.97),
    ] {
      learn(subject, in: picture, rate: turn == 0 && scale == 1 ? 1 : 0.2, turn: turn, scale: scale)
    }
  }

  /// Hann's window, which fades the rim out.
  private static func taper(_ side: Int) -> [Float] {
    let line = (0..<side).map { Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(side))) }
    return line.flatMap { down in line.map { $0 * down } }
  }

  /// A peak of two samples' width in the middle.
  private static func target(_ side: Int) -> [Float] {
    let line = (0..<side).map { Float(exp(-pow(Double($0 - side / 2), 2) / (2 * 4))) }
    return line.flatMap { down in line.map { $0 * down } }
  }

  private static func window(_ subject: DockRect, scale: Double) -> DockRect {
    DockRect(
      center: subject.center, width: subject.width * margin * scale, height: subject.height * margin * scale)
  }

  /// Logarithms of brightness, of mean 0 and length 1, faded out at the rim.
  private func spectrum(
    _ subject: DockRect, in picture: LumaPicture, turn: Double = 0, scale: Double = 1
  ) -> FourierTransform.Square {
    let side = transform.side
    var samples = picture.samples(
      of: Self.window(subject, scale: scale), columns: side, rows: side, turn: turn)
    var (sum, squares) = (Float(0), Float(0))
    for index in samples.indices {
      samples[index] = log(samples[index] + 16)
      sum += samples[index]
    }
    let mean = sum / Float(samples.count)
    for index in samples.indices {
      samples[index] -= mean
      squares += samples[index] * samples[index]
    }
    let factor = 1 / max(squares.squareRoot(), 1e-3)
    for index in samples.indices { samples[index] *= factor * taper[index] }
    var square = FourierTransform.Square(real: samples)
    transform.forward(&square)
    return square
  }

  /// Takes in how the subject looks now.
  /// - Parameter rate: how much of what is known it replaces, 0...1.
  mutating func learn(
    _ subject: DockRect, in picture: LumaPicture, rate: Float, turn: Double = 0, scale: Double = 1
  ) {
    let seen = spectrum(subject, in: picture, turn: turn, scale: scale)
    for index in denominator.indices {
      let (a, b) = (seen.real[index], seen.imaginary[index])
      let (c, d) = (wanted.real[index], wanted.imaginary[index])
      numerator.real[index] += rate * (c * a + d * b - numerator.real[index])
      numerator.imaginary[index] += rate * (d * a - c * b - numerator.imaginary[index])
      denominator[index] += rate * (a * a + b * b - denominator[index])
    }
  }

  /// Looks for the subject about a place.
  /// - Parameter scale: how much larger than `subject` it is looked for.
  func find(_ subject: DockRect, in picture: LumaPicture, scale: Double = 1) -> Peak {
    var response = spectrum(subject, in: picture, scale: scale)
    let floor = 1e-4 + 1e-2 * (denominator.reduce(0, +) / Float(denominator.count))
    for index in denominator.indices {
      let factor = 1 / (denominator[index] + floor)
      let (a, b) = (response.real[index], response.imaginary[index])
      let (c, d) = (numerator.real[index] * factor, numerator.imaginary[index] * factor)
      response.real[index] = a * c - b * d
      response.imaginary[index] = a * d + b * c
    }
    transform.inverse(&response)
    return peak(of: response.real, scale: scale)
  }

  private func peak(of response: [Float], scale: Double) -> Peak {
    let side = transform.side
    var best = 0
    for index in response.indices where response[index] > response[best] { best = index }
    let (column, row) = (best % side, best / side)
    let across = Self.vertex(
      response[row * side + max(column - 1, 0)], response[best],
      after: response[row * side + min(column + 1, side - 1)])
    let down = Self.vertex(
      response[max(row - 1, 0) * side + column], response[best],
      after: response[min(row + 1, side - 1) * side + column])
    let margin = Self.margin * scale
    return Peak(
      x: (Double(column - side / 2) + across) / Double(side) * margin,
      y: (Double(row - side / 2) + down) / Double(side) * margin,
      sharpness: sharpness(response, column, row: row))
  }

  /// Where a parabola through three neighbours has its peak, from the middle one.
  private static func vertex(_ before: Float, _ peak: Float, after: Float) -> Double {
    let curve = before - 2 * peak + after
    guard curve < 0 else { return 0 }
    return Double(min(max(0.5 * (before - after) / curve, -0.5), 0.5))
  }

  /// Of all but the eleven by eleven samples about the peak.
  private func sharpness(_ response: [Float], _ column: Int, row: Int) -> Double {
    let side = transform.side
    let reach = side >= 64 ? 5 : 3
    var (sum, squares, count) = (Float(0), Float(0), Float(0))
    for y in 0..<side {
      let isNear = abs(y - row) <= reach
      for x in 0..<side where !isNear || abs(x - column) > reach {
        let value = response[y * side + x]
        sum += value
        squares += value * value
        count += 1
      }
    }
    let mean = sum / count
    let deviation = max(squares / count - mean * mean, 1e-12).squareRoot()
    return Double((response[row * side + column] - mean) / deviation)
  }
}
