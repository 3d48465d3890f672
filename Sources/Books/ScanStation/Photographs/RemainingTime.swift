/// How long the rest of a run takes, by what the photos so far have cost.
///
/// The cost of a photo is taken to be proportional to its weight: a part that every photo costs, and the bytes of its file, since many pixels
/// and much text both make a file large. The rate is the quotient of costs and weights, in which each photo counts less than the next,
/// so that an estimate follows a machine that becomes slower (exponential smoothing; R. G. Brown, "Statistical Forecasting for Inventory
/// Control", 1959).
public struct RemainingTime: Sendable, Equatable {
  /// How much less a photo counts than the next one.
  static let decay = 0.98
  /// Photos before there is an estimate.
  static let least = 3

  /// What every photo weighs, in bytes of a file: by least squares over 27 photographs of 0.3 to 16 megapixels, 3.7 s of PP-OCRv6 each and 0.72 s
  /// for each megabyte.
  static let ownWeight = 5e6

  private var seconds = 0.0
  private var weights = 0.0
  private var count = 0

  /// Nothing is known yet.
  public init() {}

  /// What a photo weighs.
  /// - Parameter bytes: of its file.
  static func weight(bytes: Int) -> Double { ownWeight + max(0, Double(bytes)) }

  /// A photo was done.
  /// - Parameters:
  ///   - weight: above 0, in whatever unit.
  ///   - seconds: that it took, at least 0.
  public mutating func note(weight: Double, seconds: Double) {
    guard weight > 0, weight.isFinite, seconds >= 0, seconds.isFinite else { return }
    self.seconds = self.seconds * Self.decay + seconds
    weights = weights * Self.decay + weight
    count += 1
  }

  /// - Parameter weight: of all that is still to be done.
  /// - Returns: seconds; nil until three photos were done.
  public func seconds(for weight: Double) -> Double? {
    guard count >= Self.least, weights > 0 else { return nil }
    return seconds / weights * max(0, weight)
  }
}
