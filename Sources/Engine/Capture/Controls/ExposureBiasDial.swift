import Imagery
public import System

/// The dial for exposure bias: ticks of a tenth of an EV, or those of the device, centred on 0; what is shown follows the finger, and
/// what is committed is a tick on which it came to rest. A value for a page, a command line or a remote; it knows no clock.
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
  /// What the dial says. This enumeration is closed.
  public enum Event: Hashable, Sendable {
    /// Another tick is under the pointer: once for each that was crossed.
    case tick(Double)
    /// The device may show this meanwhile; at most ten a second.
    case preview(Double)
    /// The dial rests here: set it.
    case commit(Double)
  }

  /// The values that it has, rising; 0 is one of them.
  public let ticks: [Double]
  /// The tick under the pointer.
  public var value: Double { ticks[index] }
  /// What was committed last.
  public private(set) var committed: Double
  /// When the dial is to be told that it rests (`rest(at:)`); nil while it is not moving.
  public private(set) var due: MonotonicTime?
  private var index: Int
  private var lastPreview: MonotonicTime?

  /// Without a movement for this long the dial rests.
  public static let rest = Duration.milliseconds(150)
  /// Between two previews.
  public static let spacing = Duration.milliseconds(100)
  /// Changes below this are none.
  public static let leastChange = 0.001
  /// What a device has that tells no range.
  public static let usual = -2.0...2.0

  /// - Parameters:
  ///   - capability: of `exposure-bias`; nil, or one without a range, has −2…+2.
  ///   - value: what is set now; the nearest tick is taken, 0 by default.
  public init(_ capability: CameraControlCapability? = nil, value: Double = 0) {
    let range = capability?.range ?? Self.usual
    var ticks = capability?.values ?? Self.tenths(in: range, step: capability?.step)
    if ticks.isEmpty { ticks = Self.tenths(in: Self.usual, step: nil) }
    self.ticks = ticks
    index = Self.nearest(to: value, in: ticks)
    committed = ticks[index]
  }

  /// The multiples of 0.1 EV within the range, or of the device's step where that is coarser.
  private static func tenths(in range: ClosedRange<Double>, step: Double?) -> [Double] {
    // Counted in thousandths, so that every tick is the number that a person would write.
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

  /// The finger, or the fling, is here. What is shown never leaves the range.
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

  /// Nothing moved since: the tick under the pointer is committed, unless it is committed already.
  public mutating func rest(at time: MonotonicTime) -> [Event] {
    guard let due, time >= due else { return [] }
    self.due = nil
    lastPreview = nil
    guard abs(value - committed) >= Self.leastChange else { return [] }
    committed = value
    return [.commit(value)]
  }

  /// Somebody else set the value: the dial goes there, and commits nothing. A movement under way goes on.
  public mutating func follow(_ value: Double) {
    let next = Self.nearest(to: value, in: ticks)
    committed = ticks[next]
    if due == nil { index = next }
  }
}
