import Glibc
import Imagery
public import System

/// Shutter priority as a value: the exposure time is held, and the sensitivity follows how far the pictures are from their exposure.
///
/// The next sensitivity is that of the picture which was metered, divided by 2 to the power of its offset. A picture that was exposed
/// before the latest change therefore asks for the same value again, however late the device is, and the loop cannot swing.
///
/// Light that changes in the middle of a frame leaves rows of each in it. So a first picture of another light is only noted, and the next
/// one counts.
public struct ShutterPriorityLoop: Hashable, Sendable {
  /// The exposure time that is held, in seconds.
  public var duration: Double
  /// The sensitivity that the device has.
  public private(set) var iso: Double
  /// The sensitivity stays as it is, while a recording runs.
  public var isFrozen = false
  /// What the device has.
  public private(set) var capability: CameraControlCapability
  /// The latest changes, at most ten.
  private var changes: [MonotonicTime] = []
  /// The light of the picture before, in EV, and whether it was the first of another light.
  private var lastLight = Double.nan
  private var wasFirst = false

  /// Offsets up to this are left alone, in EV.
  public static let deadBand = 0.1
  /// Changes up to this are left alone, as a share of the sensitivity.
  public static let leastChange = 0.05
  /// Between two changes. A hundredth less than a tenth of a second, so that three frames at 30 a second are enough.
  public static let spacing = Duration.milliseconds(99)
  /// More than this from one picture to the next is another light, in EV. Half the dead band: a picture that has some rows of a new light
  /// must not use up the time until the next change, however few they are. Noise costs one picture at most.
  public static let jump = deadBand / 2
  /// In any second.
  public static let mostChanges = 10

  /// - Parameters:
  ///   - capability: of the control that sets the sensitivity: its range, step or values.
  ///   - iso: what it is now; it is taken to the nearest that the device has.
  public init(duration: Double, iso: Double, capability: CameraControlCapability) {
    self.duration = duration
    self.iso = iso
    self.capability = capability
    self.iso = nearest(to: iso)
  }

  /// Another camera, or another range: the sensitivity is the nearest that it has.
  public mutating func adopt(_ capability: CameraControlCapability) {
    self.capability = capability
    iso = nearest(to: iso)
  }

  /// What the device has made of the latest change.
  public mutating func took(_ iso: Double) { if iso > 0, iso.isFinite { self.iso = iso } }

  /// A change is allowed by now, so that metering is worth its time.
  public func isReady(at time: MonotonicTime) -> Bool {
    guard !isFrozen, let last = changes.last else { return !isFrozen }
    let isFull = changes.count == Self.mostChanges && time - changes[0] < .seconds(1)
    return time - last >= Self.spacing && !isFull
  }

  /// Takes the measure of a picture.
  /// - Parameters:
  ///   - offset: EV, above zero where the picture is too bright.
  ///   - frameISO: the sensitivity that it was exposed with, or would have been for the time that is held; nil where nobody tells: then it
  ///     is the present one, and only pictures that were exposed after the latest change may be handed in.
  /// - Returns: the sensitivity to set; nil where it stays.
  public mutating func step(offset: Double, frameISO: Double? = nil, at time: MonotonicTime) -> Double? {
    guard isReady(at: time), offset.isFinite else { return nil }
    guard !isFirstOfAnotherLight(offset - log2(frameISO ?? iso)), abs(offset) > Self.deadBand else {
      return nil
    }
    let target = (frameISO ?? iso) / exp2(offset)
    let next = nearest(to: target)
    guard abs(next / iso - 1) > Self.leastChange else { return nil }
    // Between two values that the device has, the nearer one must be nearer by more than the dead band, or noise would swing it.
    let reachable = clamped(target)
    guard abs(log2(next / reachable)) < abs(log2(iso / reachable)) - Self.deadBand else { return nil }
    iso = next
    changes.append(time)
    if changes.count > Self.mostChanges { changes.removeFirst() }
    return next
  }

  private mutating func isFirstOfAnotherLight(_ light: Double) -> Bool {
    // Without a picture before there is nothing to compare with.
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
