public import Imagery
import Locking

/// How attitude becomes one of four angles (ROT-4).
public struct RotationPolicy: Hashable, Sendable, Codable {
  /// The angle changes when the attitude is further than this from the present one, in degrees (45 would flutter).
  public var hysteresis: Double
  /// … and has been so for this long.
  public var dwell: Duration

  public init(hysteresis: Double = 55, dwell: Duration = .zero) {
    self.hysteresis = hysteresis
    self.dwell = dwell
  }
}

/// Turns motion into the two angles that outputs use, and remembers since when each held, so that every frame gets the
/// angle of its own exposure (decision 2 in ARCHITECTURE.md).
///
/// The angles correspond to AVFoundation's `AVCaptureDevice.RotationCoordinator`:
/// `videoRotationAngleForHorizonLevelPreview` and `videoRotationAngleForHorizonLevelCapture`.
public final class RotationCoordinator: Sendable {
  /// Past turns that are remembered: far more than happen while a frame is on its way.
  static let memory = 64

  fileprivate struct State {
    var policy: RotationPolicy
    var attitude: [(since: MonotonicTime, rotation: Rotation)] = []
    var candidate: (since: MonotonicTime, rotation: Rotation)?
    var lastReading: MonotonicTime?
    var mount = SensorMount()
    /// A locked surface keeps showing the device upright at this angle whatever the attitude.
    var surfaceLock: Rotation?
    var mirrorsPreview = false
  }

  private let state: Locked<State>

  public init(policy: RotationPolicy = RotationPolicy()) {
    state = Locked(State(policy: policy))
  }

  /// How the sensor sits in the device.
  public func setMount(_ mount: SensorMount) { state.withLock { $0.mount = mount } }

  /// Locks the preview to one device angle, or (nil) lets it follow the attitude.
  public func lockSurface(to rotation: Rotation?) { state.withLock { $0.surfaceLock = rotation } }

  /// Shows the preview as in a mirror, as people expect of a camera facing them. Photos are not mirrored by it.
  public func setPreviewMirrored(_ isMirrored: Bool) { state.withLock { $0.mirrorsPreview = isMirrored } }

  /// Takes a reading of the motion source.
  /// - Parameters:
  ///   - degrees: clockwise turn of the device from upright, any finite number; others are ignored.
  ///   - time: when it was taken; one from before the last reading counts from that reading's time.
  public func noteAttitude(degrees: Double, at time: MonotonicTime) {
    guard degrees.isFinite else { return }
    state.withLock { $0.note(degrees: degrees, at: time) }
  }

  /// The angles that held at `time`.
  public func orientation(at time: MonotonicTime) -> FrameOrientation {
    state.withLock { state in
      let device =
        state.attitude.last { $0.since <= time }?.rotation ?? state.attitude.first?.rotation ?? .none
      let capture = state.mount.orientation(deviceTurned: device)
      var preview = state.mount.orientation(deviceTurned: state.surfaceLock ?? device)
      if state.mirrorsPreview {
        preview = preview.followed(by: Orientation(rotation: .none, isMirrored: true))
      }
      return FrameOrientation(preview: preview, capture: capture)
    }
  }

  /// `videoRotationAngleForHorizonLevelCapture` now, in degrees clockwise.
  public var captureAngle: Int { orientation(at: .distantFuture).capture.rotation.rawValue }
  /// `videoRotationAngleForHorizonLevelPreview` now, in degrees clockwise.
  public var previewAngle: Int { orientation(at: .distantFuture).preview.rotation.rawValue }
}

extension RotationCoordinator.State {
  fileprivate mutating func note(degrees: Double, at given: MonotonicTime) {
    let time = max(given, lastReading ?? given)
    lastReading = time
    let nearest = Rotation(nearest: degrees.truncatingRemainder(dividingBy: 360))
    guard let current = attitude.last?.rotation else {
      attitude.append((time, nearest))
      return
    }
    let distance = abs((degrees - Double(current.rawValue)).remainder(dividingBy: 360))
    guard distance > policy.hysteresis, nearest != current else {
      candidate = nil
      return
    }
    if candidate?.rotation != nearest { candidate = (time, nearest) }
    guard let candidate, time - candidate.since >= policy.dwell else { return }
    attitude.append((time, nearest))
    if attitude.count > RotationCoordinator.memory { attitude.removeFirst() }
    self.candidate = nil
  }
}
