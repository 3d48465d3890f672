import Glibc
import Imagery
import Log
import System
import Video4Linux

/// Follows how the device is held by its accelerometer, and tells a session's `RotationCoordinator`.
///
/// ```swift
/// let motion = try MotionTracker(MotionRequest(), rotation: session.rotation) { print($0) }
/// for await state in await session.states() { print(state) }
/// motion.end()
/// ```
///
/// A sensor that is unplugged leaves the last angle in force; it is looked for and followed again. The counterpart on a
/// phone is `CMMotionManager`.
public final class MotionTracker: Sendable {
  /// Whether the sensor is there. This enumeration is closed: there are two states, and no later version adds one.
  public enum State: Hashable, Sendable {
    /// Readings come from the sensor so named.
    case following(String)
    /// The sensor is gone or does not answer, for the reason given; the last angle holds.
    case lost(String)
  }

  /// Where sensors are looked for.
  struct Places: Sendable {
    var devices = IIOAccelerometer.devices
    var nodes = IIOAccelerometer.nodes
  }

  private let wake: WakeSignal
  private let isEnding = Locked(false)
  private let thread = Locked<NamedThread?>(nil)

  /// Begins to follow.
  /// - Parameters:
  ///   - rotation: is told of every reading that says how the device is held.
  ///   - onChange: is told when the sensor goes and comes, on the tracker's own thread; the first time at once.
  /// - Throws: `notFound` when there is no such sensor; `noResources` when the process has no thread or descriptor left.
  public convenience init(
    _ request: MotionRequest, rotation: RotationCoordinator, clock: any CaptureClock = SystemClock(),
    onChange: @escaping @Sendable (State) -> Void = { _ in }
  ) throws(CameraError) {
    try self.init(request, places: Places(), rotation: rotation, clock: clock, onChange: onChange)
  }

  init(
    _ request: MotionRequest, places: Places, rotation: RotationCoordinator, clock: any CaptureClock,
    onChange: @escaping @Sendable (State) -> Void
  ) throws(CameraError) {
    let source = "motion source iio" + (request.name.map { ":\($0)" } ?? "")
    guard let sensor = IIOAccelerometer.find(request, devices: places.devices, nodes: places.nodes) else {
      throw .notFound(
        source,
        remedy: "the accelerometers that are here are listed by `grep . \(places.devices)/*/name`")
    }
    do throws(ResourceShortage) { wake = try WakeSignal() } catch { throw CameraError(error, source: source) }
    clock.threadBegan()
    let loop = { @Sendable [wake, isEnding] in
      var follower = SensorFollower(
        request: request, places: places, rotation: rotation, clock: clock, wake: wake, onChange: onChange)
      follower.run(first: sensor) { isEnding.withLock { $0 } }
      clock.threadEnded()
    }
    do throws(ResourceShortage) {
      try thread.withLock { thread throws(ResourceShortage) in
        thread = try NamedThread(name: "motion", loop)
      }
    } catch {
      clock.threadEnded()
      throw CameraError(error, source: source)
    }
  }

  /// Ends following; the sensor is set back as it was. Returns when that is done.
  public func end() {
    isEnding.withLock { $0 = true }
    wake.signal()
    thread.withLock { $0.take() }?.join()
  }

  deinit { end() }
}

/// The life of the motion thread; confined to it.
struct SensorFollower {
  let request: MotionRequest
  let places: MotionTracker.Places
  let rotation: RotationCoordinator
  let clock: any CaptureClock
  let wake: WakeSignal
  let onChange: @Sendable (MotionTracker.State) -> Void

  /// Between two questions to a sensor that does not speak by itself.
  private static let pollInterval = Duration.milliseconds(50)
  /// Between two looks for one that is gone.
  private static let searchInterval = Duration.milliseconds(250)
  /// A sample that claims to be older has a clock of its own.
  private static let longestDelay = Duration.seconds(1)
  /// Answers in a row that fail before a sensor counts as gone.
  private static let patience = 3

  mutating func run(first: IIOAccelerometer, isEnding: () -> Bool) {
    var sensor: IIOAccelerometer? = first
    while !isEnding() {
      if let found = sensor ?? IIOAccelerometer.find(request, devices: places.devices, nodes: places.nodes) {
        Log.motion.info("follows \(found.name)")
        onChange(.following(found.name))
        if let reason = follow(found, isEnding) {
          Log.motion.warning("lost \(found.name): \(reason)")
          onChange(.lost(reason))
        }
        sensor = nil
      }
      if !isEnding() { _ = clock.wait(until: clock.now() + Self.searchInterval, wake: wake) }
    }
  }

  /// - Returns: why it could not go on; nil when it was told to end.
  private func follow(_ sensor: IIOAccelerometer, _ isEnding: () -> Bool) -> String? {
    do throws(Errno) {
      if let buffer = IIOBuffer(sensor) {
        try listen(to: buffer, sensor, isEnding)
      } else {
        try ask(sensor, isEnding)
      }
      return nil
    } catch {
      return Self.reason(error)
    }
  }

  private func listen(
    to buffer: IIOBuffer, _ sensor: IIOAccelerometer, _ isEnding: () -> Bool
  ) throws(Errno) {
    var hasSpoken = false
    while !isEnding() {
      if let samples = try buffer.next(wake: wake) {
        note(samples, of: sensor)
        hasSpoken = true
      } else if !wake.drain(), !hasSpoken {
        // Some speak only of changes; how the device is held now must be asked.
        if let now = try? sensor.read() { note(now, at: clock.now()) }
        hasSpoken = true
      }
    }
  }

  private static func reason(_ error: Errno) -> String {
    switch error {
    case .noEntry, .noDevice, .noDeviceOrAddress: "it was unplugged"
    case .busy: "another program uses it"
    default: "\(error)"
    }
  }

  private func ask(_ sensor: IIOAccelerometer, _ isEnding: () -> Bool) throws(Errno) {
    var failures = 0
    while !isEnding() {
      do throws(Errno) {
        note(try sensor.read(), at: clock.now())
        failures = 0
      } catch {
        failures += 1
        if failures >= Self.patience { throw error }
      }
      _ = clock.wait(until: clock.now() + Self.pollInterval, wake: wake)
    }
  }

  /// A sample counts from when it was taken: a busy machine hands it over late, and the frames exposed meanwhile are turned already.
  func note(_ samples: [IIOScan.Sample], of sensor: IIOAccelerometer) {
    let now = clock.now()
    for sample in samples {
      let taken = sample.nanoseconds.map { MonotonicTime(nanoseconds: $0) } ?? now
      let isBelievable = (now.advanced(by: .zero - Self.longestDelay)...now).contains(taken)
      note(sensor.gravity(sample.raw), at: isBelievable ? taken : now)
    }
  }

  private func note(_ gravity: Gravity, at time: MonotonicTime) {
    if let degrees = gravity.attitude { rotation.noteAttitude(degrees: degrees, at: time) }
  }
}
