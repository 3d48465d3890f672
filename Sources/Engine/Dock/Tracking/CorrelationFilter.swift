import Glibc

/// Finds a subject near its previous place: MOSSE, a filter whose correlation with the subject is a narrow peak (Bolme, Beveridge, Draper and
/// Lui, "Visual Object Tracking using Adaptive Correlation Filters", CVPR 2010).
///
/// The search window has twice the subject's width and height.
struct CorrelationFilter {
  /// The result of a search in a window.
  struct Peak {
    /// The horizontal distance of the subject from the expected place, as a multiple of the subject's width.
    var x: Double
    /// The vertical distance of the subject from the expected place, as a multiple of the subject's height.
    var y: Double
    /// The peak-to-sidelobe ratio: the height of the peak above the mean of the rest, in standard deviations of the rest.
    var sharpness: Double
  }

  /// The size of the window relative to the subject.
  static let margin = 2.0

  private let transform: FourierTransform
  private let taper: [Float]
  private let wanted: FourierTransform.Square
  private var numerator: FourierTransform.Square
  private var denominator: [Float]

  /// Learns a subject from one picture, including slightly turned and scaled versions.
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

  /// Hann's window, which fades out the edges.
  private static func taper(_ side: Int) -> [Float] {
    let line = (0..<side).map { Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(side))) }
    return line.flatMap { down in line.map { $0 * down } }
  }

  /// The wanted response of the filter: a peak in the middle, with a standard deviation of two samples.
  private static func target(_ side: Int) -> [Float] {
    let line = (0..<side).map { Float(exp(-pow(Double($0 - side / 2), 2) / (2 * 4))) }
    return line.flatMap { down in line.map { $0 * down } }
  }

  private static func window(_ subject: DockRect, scale: Double) -> DockRect {
    DockRect(
      center: subject.center, width: subject.width * margin * scale, height: subject.height * margin * scale)
  }

  /// The spectrum of the logarithms of brightness, with mean 0 and length 1, faded out at the edges.
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

  /// Learns the present appearance of the subject.
  /// - Parameter rate: the share of the learned appearance that the present one replaces, 0...1.
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

  /// Looks for the subject around a place.
  /// - Parameter scale: the size to look for, relative to `subject`.
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

  /// The offset of the peak of a parabola through three neighbours, from the middle one.
  private static func vertex(_ before: Float, _ peak: Float, after: Float) -> Double {
    let curve = before - 2 * peak + after
    guard curve < 0 else { return 0 }
    return Double(min(max(0.5 * (before - after) / curve, -0.5), 0.5))
  }

  /// The peak-to-sidelobe ratio. The samples around the peak do not count: eleven by eleven, or seven by seven in a window of 32.
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
