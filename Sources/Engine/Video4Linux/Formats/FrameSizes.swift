/// A width and a height in a device's pixels.
public struct FrameSize: Hashable, Sendable, CustomStringConvertible {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int

  /// - Parameters: both in pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Text such as `1280×720`.
  public var description: String { "\(width)×\(height)" }
}

/// A range of whole numbers in steps.
public struct SteppedRange: Hashable, Sendable {
  /// The least value.
  public let minimum: Int
  /// The greatest value.
  public let maximum: Int
  /// The step between values, at least 1; 1 if all values are allowed.
  public let step: Int

  /// Nil if the driver's figures are no valid range.
  init?(_ minimum: UInt32, _ maximum: UInt32, step: UInt32) {
    guard minimum <= maximum else { return nil }
    self.minimum = Int(minimum)
    self.maximum = Int(maximum)
    self.step = max(1, Int(step))
  }

  /// The possible value nearest to `value`; of two equally near, the smaller.
  public func nearest(to value: Int) -> Int {
    let clamped = min(max(value, minimum), maximum)
    let below = minimum + (clamped - minimum) / step * step
    let above = below + step
    return above <= maximum && above - clamped < clamped - below ? above : below
  }

  /// The largest possible value; less than `maximum` if that is not a whole number of steps away.
  public var last: Int { minimum + (maximum - minimum) / step * step }

  /// Whether `value` is in the range and on a step.
  public func contains(_ value: Int) -> Bool {
    value >= minimum && value <= maximum && (value - minimum) % step == 0
  }
}

/// The sizes that a device offers in one pixel format (`VIDIOC_ENUM_FRAMESIZES`).
public enum FrameSizes: Hashable, Sendable {
  /// Only these sizes; may be empty if the driver does not list any.
  case discrete([FrameSize])
  /// Any size in these ranges; a continuous range has step 1.
  case stepwise(width: SteppedRange, height: SteppedRange)
}
