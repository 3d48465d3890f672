/// Estimates the time left of a run from the cost of the photos so far.
///
/// The cost of a photo is taken to be proportional to its weight: a constant part plus the bytes of its file, since many pixels and much text both
/// make a file large. The rate is the sum of the costs divided by the sum of the weights. In both sums each photo counts less than the next, so that
/// the estimate follows a machine that becomes slower (exponential smoothing; R. G. Brown, "Statistical Forecasting for Inventory Control", 1959).
public struct RemainingTime: Sendable, Equatable {
  /// The factor by which a photo counts less than the next one.
  static let decay = 0.98
  /// The number of photos before there is an estimate.
  static let least = 3

  /// The constant part of the weight, in bytes of a file: by least squares over 27 photographs of 0.3 to 16 megapixels, 3.7 s of PP-OCRv6 for
  /// each and 0.72 s for each megabyte.
  static let ownWeight = 5e6

  private var seconds = 0.0
  private var weights = 0.0
  private var count = 0

  /// Creates an estimate without any photo.
  public init() {}

  /// Returns the weight of a photo, in proportion to the work of reading it: a constant part plus the size of the file.
  /// - Parameter bytes: the size of the photo's file.
  static func weight(bytes: Int) -> Double { ownWeight + max(0, Double(bytes)) }

  /// Notes the cost of a photo that is done.
  /// - Parameters:
  ///   - weight: the amount of work that the photo was, above 0, in any unit, the same for all photos.
  ///   - seconds: the time that reading the photo took, at least 0.
  public mutating func note(weight: Double, seconds: Double) {
    guard weight > 0, weight.isFinite, seconds >= 0, seconds.isFinite else { return }
    self.seconds = self.seconds * Self.decay + seconds
    weights = weights * Self.decay + weight
    count += 1
  }

  /// - Parameter weight: the sum of the weights of all photos that are left.
  /// - Returns: seconds. Nil until three photos are done.
  public func seconds(for weight: Double) -> Double? {
    guard count >= Self.least, weights > 0 else { return nil }
    return seconds / weights * max(0, weight)
  }
}
