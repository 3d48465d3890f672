public import System

/// A dial for the exposure bias. Its ticks are the device's own values if the device lists them, otherwise the multiples of
/// 0.1 EV, or of the device's step if that is coarser. The shown value follows the finger; a tick is committed when the dial rests
/// on it. A value type for a page, a command line or a remote; it has no clock.
///
/// ```swift
/// var dial = ExposureBiasDial(await session.controls.capability(.exposureBias))
/// for case .preview(let bias) in dial.drag(to: 0.73, at: .now()) { print(bias) }
/// // And when `dial.due` has come:
/// for case .commit(let bias) in dial.rest(at: .now()) {
///   await session.set(.exposureBias, to: .number(bias))
/// }
/// ```
public struct ExposureBiasDial: Hashable, Sendable {
  /// An event of the dial. This enumeration is closed.
  public enum Event: Hashable, Sendable {
    /// Another tick is under the pointer. Sent once for each crossed tick.
    case tick(Double)
    /// A value that the device may show during the movement; at most ten a second.
    case preview(Double)
    /// The dial rests on this value: set it.
    case commit(Double)
  }

  /// The possible values in EV, ascending; 0 is among them if the device supports it.
  public let ticks: [Double]
  /// The tick under the pointer.
  public var value: Double { ticks[index] }
  /// The last committed value.
  public private(set) var committed: Double
  /// The time at which to call `rest(at:)`; nil while the dial is not moving.
  public private(set) var due: MonotonicTime?
  private var index: Int
  private var lastPreview: MonotonicTime?

  /// The time without a movement after which the dial rests.
  public static let rest = Duration.milliseconds(150)
  /// The time between two previews.
  public static let spacing = Duration.milliseconds(100)
  /// The smallest change that counts.
  public static let leastChange = 0.001
  /// The range for a device that reports none.
  public static let usual = -2.0...2.0

  /// - Parameters:
  ///   - capability: the capability of `exposure-bias`; nil, or one without a range, means −2…+2.
  ///   - value: the present value, rounded to the nearest tick; by default 0.
  public init(_ capability: CameraControlCapability? = nil, value: Double = 0) {
    let range = capability?.range ?? Self.usual
    var ticks = capability?.values ?? Self.tenths(in: range, step: capability?.step)
    if ticks.isEmpty { ticks = Self.tenths(in: Self.usual, step: nil) }
    self.ticks = ticks
    index = Self.nearest(to: value, in: ticks)
    committed = ticks[index]
  }

  /// The multiples of 0.1 EV within the range, or of the device's step if that is coarser.
  private static func tenths(in range: ClosedRange<Double>, step: Double?) -> [Double] {
    // Count in thousandths of an EV, so that no tick has a rounding error.
    let coarse = (step ?? 0).isFinite ? min(max(step ?? 0, 0), 100) : 0
    let step = max(100, Int((coarse * 1000).rounded()))
    let (least, most) = (max(range.lowerBound, -100), min(range.upperBound, 100))
    guard least <= most else { return [] }
    let first = Int((least * 1000 / Double(step) - 1e-6).rounded(.up))
    let last = Int((most * 1000 / Double(step) + 1e-6).rounded(.down))
    guard first <= last else { return [] }
    return (first...last).map { Double($0 * step) / 1000 }
  }

  private static func nearest(to value: Double, in ticks: [Double]) -> Int {
    let wanted = value.isNaN ? 0 : value
    return ticks.indices.min { abs(ticks[$0] - wanted) < abs(ticks[$1] - wanted) } ?? 0
  }

  /// Moves the dial to the position of the finger or of the fling. The shown value never leaves the range.
  public mutating func drag(to position: Double, at time: MonotonicTime) -> [Event] {
    let next = Self.nearest(to: position, in: ticks)
    let path = next > index ? Array(index + 1..<next + 1) : next < index ? (next..<index).reversed() : []
    due = time + Self.rest
    guard !path.isEmpty else { return [] }
    index = next
    var events = path.map { Event.tick(ticks[$0]) }
    if lastPreview.map({ time - $0 >= Self.spacing }) ?? true {
      lastPreview = time
      events.append(.preview(value))
    }
    return events
  }

  /// Commits the tick under the pointer if nothing has moved since, unless it is committed already.
  public mutating func rest(at time: MonotonicTime) -> [Event] {
    guard let due, time >= due else { return [] }
    self.due = nil
    lastPreview = nil
    guard abs(value - committed) >= Self.leastChange else { return [] }
    committed = value
    return [.commit(value)]
  }

  /// Moves the dial to a value that somebody else set, and commits nothing. A movement under way continues.
  public mutating func follow(_ value: Double) {
    let next = Self.nearest(to: value, in: ticks)
    committed = ticks[next]
    if due == nil { index = next }
  }
}
