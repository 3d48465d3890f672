import Log
import System
import Video4Linux

/// Follows the device's attitude with its accelerometer, and reports it to a session's `RotationCoordinator`.
///
/// ```swift
/// let motion = try MotionTracker(MotionRequest(), rotation: session.rotation) { print($0) }
/// for await state in await session.states() { print(state) }
/// motion.end()
/// ```
///
/// If the sensor is unplugged, the last angle stays in force; the tracker looks for the sensor and follows it again. The counterpart on a
/// phone is `CMMotionManager`.
public final class MotionTracker: Sendable {
  /// The state of the sensor. This enumeration is closed: there are two states, and no later version adds one.
  public enum State: Hashable, Sendable {
    /// Readings come from the sensor with this name.
    case following(String)
    /// The sensor is gone or does not answer, for this reason; the last angle stays in force.
    case lost(String)
  }

  /// The folders in which to look for sensors.
  struct Places: Sendable {
    var devices = IIOAccelerometer.devices
    var nodes = IIOAccelerometer.nodes
  }

  private let wake: WakeSignal
  private let isEnding = Locked(false)
  private let thread = Locked<NamedThread?>(nil)

  /// Begins to follow a sensor.
  /// - Parameters:
  ///   - rotation: gets every reading that tells the attitude of the device.
  ///   - onChange: called when the sensor goes or comes, on the tracker's own thread; the first time at once.
  /// - Throws: `notFound` if there is no such sensor; `noResources` if the process has no thread or descriptor left.
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
      throw CameraError(
        .notFound, source: source,
        description:
          "cannot open \(source): there is no such accelerometer; "
          + "`grep . \(places.devices)/*/name` lists them")
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

  /// Ends following and restores the sensor's set-up. Returns when that is done.
  public func end() {
    isEnding.withLock { $0 = true }
    wake.signal()
    thread.withLock { $0.take() }?.join()
  }

  deinit { end() }
}

/// The work of the motion thread. Confined to that thread.
struct SensorFollower {
  let request: MotionRequest
  let places: MotionTracker.Places
  let rotation: RotationCoordinator
  let clock: any CaptureClock
  let wake: WakeSignal
  let onChange: @Sendable (MotionTracker.State) -> Void

  /// The time between two readings of a sensor that has no buffer.
  private static let pollInterval = Duration.milliseconds(50)
  /// The time between two searches for a lost sensor.
  private static let searchInterval = Duration.milliseconds(250)
  /// The age above which the time of a sample is assumed to come from another clock.
  private static let longestDelay = Duration.seconds(1)
  /// The number of consecutive failed readings after which a sensor counts as gone.
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

  /// - Returns: the reason why the sensor can no longer be followed; nil if the end was requested.
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
        // Some sensors report only changes, so the present attitude must be read.
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

  /// Notes samples under the time at which they were taken: a busy machine delivers
  /// them late, and frames that were exposed in between are already turned.
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
