import Glibc
public import System

/// Shutter priority as a value: holds the exposure time, and adjusts the sensitivity to the exposure offset of the pictures.
///
/// The next sensitivity is that of the metered picture, divided by 2 to the power of its offset. A picture that was exposed
/// before the latest change therefore asks for the same value again, however late the device is, and the loop cannot oscillate.
///
/// If the light changes in the middle of a frame, the frame has rows of both lights. So the first picture of another light is only noted, and the
/// next one counts.
public struct ShutterPriorityLoop: Hashable, Sendable {
  /// The held exposure time, in seconds.
  public var duration: Double
  /// The device's sensitivity.
  public private(set) var iso: Double
  /// Holds the sensitivity. Set while a recording runs.
  public var isFrozen = false
  /// The device's capability for the sensitivity.
  public private(set) var capability: CameraControlCapability
  /// The times of the latest changes, at most ten.
  private var changes: [MonotonicTime] = []
  /// The light of the previous picture, in EV; NaN without one.
  private var lastLight = Double.nan
  /// Whether the previous picture was the first in a different light.
  private var wasFirst = false

  /// The largest offset that causes no change, in EV.
  public static let deadBand = 0.1
  /// The largest change that is too small to be made, as a share of the sensitivity.
  public static let leastChange = 0.05
  /// The least time between two changes. A hundredth less than 100 ms, so that three frames at 30 a second are enough.
  public static let spacing = Duration.milliseconds(99)
  /// The difference in EV above which the light of two pictures counts as different. It is half the dead band, so that a picture with only some
  /// rows of a new light does not cause a change, after which the next change would have to wait. Noise costs one picture at most.
  public static let jump = deadBand / 2
  /// The largest number of changes in any second.
  public static let mostChanges = 10

  /// - Parameters:
  ///   - capability: the capability of the control that sets the sensitivity: its range, step or values.
  ///   - iso: the present sensitivity, rounded to the nearest possible value.
  public init(duration: Double, iso: Double, capability: CameraControlCapability) {
    self.duration = duration
    self.iso = iso
    self.capability = capability
    self.iso = nearest(to: iso)
  }

  /// Adopts another camera or another range: the sensitivity becomes the nearest possible value.
  public mutating func adopt(_ capability: CameraControlCapability) {
    self.capability = capability
    iso = nearest(to: iso)
  }

  /// Notes the sensitivity that the device took after the latest change.
  public mutating func took(_ iso: Double) { if iso > 0, iso.isFinite { self.iso = iso } }

  /// Whether a change is allowed at `time`, so that metering is worthwhile.
  public func isReady(at time: MonotonicTime) -> Bool {
    guard !isFrozen, let last = changes.last else { return !isFrozen }
    let isFull = changes.count == Self.mostChanges && time - changes[0] < .seconds(1)
    return time - last >= Self.spacing && !isFull
  }

  /// Evaluates a metered picture.
  /// - Parameters:
  ///   - offset: the picture's distance from the wanted exposure, in EV; above zero if it is too bright.
  ///   - frameISO: the sensitivity of the picture's exposure, converted to the held exposure time. Nil if the device does not report it: the
  ///     present sensitivity is then used, and only pictures that were exposed after the latest change may be passed.
  /// - Returns: the sensitivity to set; nil for no change.
  public mutating func step(offset: Double, frameISO: Double? = nil, at time: MonotonicTime) -> Double? {
    guard isReady(at: time), offset.isFinite else { return nil }
    guard !isFirstOfAnotherLight(offset - log2(frameISO ?? iso)), abs(offset) > Self.deadBand else {
      return nil
    }
    let target = (frameISO ?? iso) / exp2(offset)
    let next = nearest(to: target)
    guard abs(next / iso - 1) > Self.leastChange else { return nil }
    // Between two possible values, change only if the other one is nearer by more than the dead band; otherwise noise would make the loop oscillate.
    let reachable = clamped(target)
    guard abs(log2(next / reachable)) < abs(log2(iso / reachable)) - Self.deadBand else { return nil }
    iso = next
    changes.append(time)
    if changes.count > Self.mostChanges { changes.removeFirst() }
    return next
  }

  private mutating func isFirstOfAnotherLight(_ light: Double) -> Bool {
    // Without a previous picture there is nothing to compare with.
    let isFirst = abs(light - lastLight) > Self.jump && !wasFirst
    lastLight = light
    wasFirst = isFirst
    return isFirst
  }

  private func clamped(_ iso: Double) -> Double {
    let least = capability.values?.first ?? capability.range?.lowerBound ?? iso
    let most = capability.values?.last ?? capability.range?.upperBound ?? iso
    return max(min(max(iso, least), max(most, least)), 1e-3)
  }

  private func nearest(to iso: Double) -> Double {
    capability.fitted(.number(clamped(iso))).value?.number ?? clamped(iso)
  }
}
