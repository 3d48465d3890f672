/// Width and height in pixels, as a device counts them.
public struct FrameSize: Hashable, Sendable, CustomStringConvertible {
  /// In pixels.
  public var width: Int
  /// In pixels.
  public var height: Int

  /// - Parameters: both in pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Such as `1280×720`.
  public var description: String { "\(width)×\(height)" }
}

/// A range of whole numbers in steps.
public struct SteppedRange: Hashable, Sendable {
  /// The least value.
  public let minimum: Int
  /// The greatest value.
  public let maximum: Int
  /// At least 1; 1 where any value will do.
  public let step: Int

  /// Nil when the driver's figures make no range.
  init?(_ minimum: UInt32, _ maximum: UInt32, step: UInt32) {
    guard minimum <= maximum else { return nil }
    self.minimum = Int(minimum)
    self.maximum = Int(maximum)
    self.step = max(1, Int(step))
  }

  /// The member nearest to `value`, the smaller of two.
  public func nearest(to value: Int) -> Int {
    let clamped = min(max(value, minimum), maximum)
    let below = minimum + (clamped - minimum) / step * step
    let above = below + step
    return above <= maximum && above - clamped < clamped - below ? above : below
  }

  /// The largest member; less than `maximum` where that is no whole number of steps away.
  public var last: Int { minimum + (maximum - minimum) / step * step }

  /// Whether it is in the range and on a step.
  public func contains(_ value: Int) -> Bool {
    value >= minimum && value <= maximum && (value - minimum) % step == 0
  }
}

/// The sizes a device offers in one pixel format (`VIDIOC_ENUM_FRAMESIZES`).
public enum FrameSizes: Hashable, Sendable {
  /// These and no others; may be empty when the driver does not say.
  case discrete([FrameSize])
  /// Any in these ranges; a continuous range has step 1.
  case stepwise(width: SteppedRange, height: SteppedRange)
}
