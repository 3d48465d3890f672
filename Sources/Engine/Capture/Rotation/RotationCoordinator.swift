public import Imagery
public import System

/// The conversion of the attitude to one of four angles (ROT-4).
public struct RotationPolicy: Hashable, Sendable, Codable {
  /// The difference between the attitude and the present angle above which the angle changes, in degrees. At 45 it would flutter.
  public var hysteresis: Double
  /// The time that the attitude must keep this difference before the angle changes.
  public var dwell: Duration

  /// - Parameters:
  ///   - hysteresis: in degrees, more than 45; the default is 55.
  ///   - dwell: by default zero: the angle changes with the first reading that exceeds `hysteresis`.
  public init(hysteresis: Double = 55, dwell: Duration = .zero) {
    self.hysteresis = hysteresis
    self.dwell = dwell
  }
}

/// Turns motion into the two angles that outputs use, and remembers past angles with their times, so that every frame gets the
/// angle of its own exposure (decision 2 in ARCHITECTURE.md).
///
/// ```swift
/// session.rotation.noteAttitude(degrees: 90, at: .now())
/// for await angles in session.angles() {
///   print("preview \(angles.preview), photos \(angles.capture)")
/// }
/// ```
///
/// The angles correspond to AVFoundation's `AVCaptureDevice.RotationCoordinator`:
/// `videoRotationAngleForHorizonLevelPreview` and `videoRotationAngleForHorizonLevelCapture`.
public final class RotationCoordinator: Sendable {
  /// The number of past turns to remember: far more than happen while a frame is on its way.
  static let memory = 64

  fileprivate struct State {
    var policy: RotationPolicy
    var attitude: [(since: MonotonicTime, rotation: Rotation)] = []
    var candidate: (since: MonotonicTime, rotation: Rotation)?
    var lastReading: MonotonicTime?
    var mount = SensorMount()
    /// The angle for which a locked surface is drawn, whatever the attitude is.
    var surfaceLock: Rotation?
    /// Whether the preview is mirrored; nil follows the mount.
    var isPreviewMirrored: Bool?
    /// The angles that listeners got last.
    var told = FrameOrientation.upright
  }

  private let state: Locked<State>
  private let news = Broadcast<FrameOrientation>()

  /// - Parameter policy: decides when the angle changes.
  public init(policy: RotationPolicy = RotationPolicy()) {
    state = Locked(State(policy: policy))
  }

  /// Sets the mounting of the sensor. A session sets it from its camera's description each time it prepares the camera.
  public func setMount(_ mount: SensorMount) { change { $0.mount = mount } }

  /// Sets the policy for the next changes; the present angle stays until then.
  public func setPolicy(_ policy: RotationPolicy) { change { $0.policy = policy } }

  /// Locks the preview to one device angle, on every surface that has no lock itself (`FrameOutput.angleLock`); nil lets it follow the attitude.
  public func lockSurface(to rotation: Rotation?) { change { $0.surfaceLock = rotation } }

  /// Sets whether the preview is mirrored. Nil, the default, mirrors the preview of a camera that faces its user
  /// (`SensorMount.isFrontFacing`), as AVFoundation does (`AVCaptureConnection.automaticallyAdjustsVideoMirroring`). This never mirrors
  /// photos and analysis.
  public func setPreviewMirrored(_ isMirrored: Bool?) { change { $0.isPreviewMirrored = isMirrored } }

  /// Takes a reading of the motion source.
  /// - Parameters:
  ///   - degrees: the device's clockwise turn from upright, any finite number; others are ignored.
  ///   - time: the time of the reading; if it is before the last reading, the last reading's time is used.
  public func noteAttitude(degrees: Double, at time: MonotonicTime) {
    guard degrees.isFinite else { return }
    change { $0.note(degrees: degrees, at: time) }
  }

  /// The angles at `time`.
  public func orientation(at time: MonotonicTime) -> FrameOrientation {
    state.withLock { $0.orientation(at: time) }
  }

  /// The angles for an output that is locked to a device angle.
  func orientation(heldAt device: Rotation) -> FrameOrientation {
    state.withLock { $0.orientation(preview: device, capture: device) }
  }

  /// A stream of the angles: the present ones and every change. The stream ends when the session of this coordinator is stopped.
  public func angles() -> AsyncStream<FrameOrientation> {
    state.withLock { state in news.listen(from: [state.orientation(at: .distantFuture)]) }
  }

  /// The present `videoRotationAngleForHorizonLevelCapture`, in degrees clockwise.
  public var captureAngle: Int { orientation(at: .distantFuture).capture.rotation.rawValue }
  /// The present `videoRotationAngleForHorizonLevelPreview`, in degrees clockwise.
  public var previewAngle: Int { orientation(at: .distantFuture).preview.rotation.rawValue }

  /// `surfaceLock`: the angle to which the preview is locked; nil without a lock. `isPreviewMirrored`: whether the preview is mirrored; nil if the
  /// camera's mount decides.
  var settings: (surfaceLock: Rotation?, isPreviewMirrored: Bool?) {
    state.withLock { ($0.surfaceLock, $0.isPreviewMirrored) }
  }

  func finish() { news.finish() }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      let now = state.orientation(at: .distantFuture)
      guard now != state.told else { return }
      state.told = now
      // Sent while locked, so that the last sent value is the present one.
      news.tell(now)
    }
  }
}

extension RotationCoordinator.State {
  fileprivate func orientation(at time: MonotonicTime) -> FrameOrientation {
    let device =
      attitude.last { $0.since <= time }?.rotation ?? attitude.first?.rotation ?? .none
    return orientation(preview: surfaceLock ?? device, capture: device)
  }

  /// - Parameters: the device angles for the preview and for the capture.
  fileprivate func orientation(preview shown: Rotation, capture held: Rotation) -> FrameOrientation {
    var preview = mount.orientation(deviceTurned: shown)
    if isPreviewMirrored ?? mount.isFrontFacing {
      preview = preview.followed(by: Orientation(rotation: .none, isMirrored: true))
    }
    return FrameOrientation(preview: preview, capture: mount.orientation(deviceTurned: held))
  }

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
