import AllocationCount
import Imagery
import System
import Testing

@testable import Capture

/// The share of the capture thread's time that the operation of controls takes from frames.
@Suite struct OperatorPaceTests {
  private static let own = (0..<200).map {
    CameraControl(rawValue: "v4l2:0x\(String(0x98_0900 + $0, radix: 16))")
  }
  private static let known: [CameraControl] = [
    .exposureMode, .exposureDuration, .iso, .exposureBias, .brightness, .contrast, .saturation, .hue, .gamma,
    .sharpness, .pan, .tilt, .redGain, .blueGain, .backlightCompensation, .whiteBalanceTemperature,
  ]
  private let start = MonotonicTime(nanoseconds: 1_000_000_000)
  private let interval = Duration.nanoseconds(33_333_333)

  /// A device with 216 numeric controls.
  private final class WideCamera: OperableCamera {
    var reads: [CameraControl] = []
    func open() throws(CameraError) -> CameraDescription { throw .disconnected("wide") }
    func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat { format }
    func start() throws(CameraError) {}
    func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
      .timedOut
    }
    func stop() {}
    func close() {}
    func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool { true }
    func capabilities() -> [CameraControlCapability] {
      (OperatorPaceTests.known + OperatorPaceTests.own).map { CameraControlCapability($0, 0...1000, step: 1) }
    }
    func values(of controls: [CameraControl]) -> [CameraControl: CameraControlValue] {
      reads += controls
      return Dictionary(controls.map { ($0, CameraControlValue.number(7)) }) { first, _ in first }
    }
    func set(_ values: [(control: CameraControl, value: CameraControlValue)]) -> [CameraControlResult] {
      values.map { CameraControlResult($0.control, wanted: $0.value, took: $0.value) }
    }
  }

  private func image(_ number: Int) throws -> CapturedImage {
    let format = ImageFormat(
      pixelFormat: .grey, size: PixelSize(width: 16, height: 16),
      color: ColorDescription(matrix: .bt601, range: .full))
    return CapturedImage(
      image: try PixelBufferPool().makeBuffer(format), sequence: UInt32(number), exposureTime: time(number),
      exposureEdge: .startOfExposure)
  }

  private func time(_ frame: Int) -> MonotonicTime { start + interval * frame }

  private func streaming(_ camera: WideCamera, isWatched: Bool) throws -> CameraOperator {
    var helm = CameraOperator()
    let format = CameraFormat(
      image: try image(0).image.format, frameInterval: FrameInterval(framesPerSecond: 30))
    helm.cameraPrepared(camera, number: 0, format: format, ControlPolicy(), now: start)
    helm.streamBegan(camera, now: start)
    if isWatched { helm.take(.watch, camera: camera, now: start) }
    camera.reads = []
    return helm
  }

  /// Another program changes 200 controls at once.
  @Test func whatChangesAtOnceIsReadAFewAtATime() throws {
    let camera = WideCamera()
    var helm = try streaming(camera, isWatched: true)
    helm.note(Self.own + Self.own, camera, now: start)
    #expect(camera.reads.count == 8)
    var most = 0
    for number in 1...30 {
      let before = camera.reads.count
      helm.frameCame(try image(number), camera, now: time(number)) { nil }
      most = max(most, camera.reads.count - before)
    }
    #expect(most <= 16, "eight that have changed and eight in turn")
    #expect(Set(camera.reads).isSuperset(of: Self.own), "within a second")
    #expect(camera.reads.count { Self.own.contains($0) } == 200, "each once")
  }

  /// Each control with a known name is polled every 400 ms; private controls of a driver report their changes.
  @Test func pollingCostsAReadingOrTwoForEachFrame() throws {
    let camera = WideCamera()
    var helm = try streaming(camera, isWatched: true)
    for number in 1...30 { helm.frameCame(try image(number), camera, now: time(number)) { nil } }
    #expect(Set(camera.reads).subtracting([.exposureMode]).isSubset(of: Self.known))
    #expect(
      (32...50).contains(camera.reads.count), "\(camera.reads.count) of 16 in a second, each twice or thrice")
  }

  /// Each read takes 40 ms. Polling may use at most half of the time.
  @Test func aSlowDeviceIsAskedLess() throws {
    let camera = WideCamera()
    var helm = try streaming(camera, isWatched: true)
    for number in 1...30 {
      let before = camera.reads.count
      helm.frameCame(try image(number), camera, now: time(number)) { nil }
      let cost = Duration.milliseconds(40 * (camera.reads.count - before))
      helm.noteCost(cost, at: time(number) + cost)
    }
    #expect((8...15).contains(camera.reads.count), "\(camera.reads.count)")
  }

  @Test(.enabled(if: allocation_count() >= 0, "a sanitizer has an allocator of its own"))
  func aFrameAllocatesNothing() throws {
    let camera = WideCamera()
    var helm = try streaming(camera, isWatched: false)
    let images = try (1...40).map { try image($0) }
    var allocations: Int64 = 0
    for (index, image) in images.enumerated() {
      let now = time(index + 1)
      let before = allocation_count()
      let settings = helm.settings(of: image, now: now)
      helm.frameCame(image, camera, now: now) { nil }
      let isQuiet = helm.due.map { $0 > now } ?? true
      // Skips the first frames, and the check of the mode 0.2 s after the start.
      if index >= 20 { allocations += allocation_count() - before }
      #expect(settings.isSettled && isQuiet || index < 20)
      if index == 8 { helm.tick(camera, now: now) }
    }
    #expect(allocations == 0)
  }

  // MARK: Orders

  /// A camera on which setting a control takes 4 ms of the capture thread.
  private final class BusyCamera: OperableCamera {
    let clock: SteppingClock
    var (sets, mostSets, frames) = (0, 0, 0)
    private var due = MonotonicTime(nanoseconds: 0)
    private var latest = Duration.zero
    var lateness: Duration { latest }

    init(_ clock: SteppingClock) { self.clock = clock }

    static let format = CameraFormat(
      image: ImageFormat(
        pixelFormat: .grey, size: PixelSize(width: 16, height: 16),
        color: ColorDescription(matrix: .bt601, range: .full)),
      frameInterval: FrameInterval(framesPerSecond: 30))

    func open() throws(CameraError) -> CameraDescription {
      CameraDescription(
        kind: CameraDescription.Kind(rawValue: "busy"), name: "busy", driver: "", bus: "",
        formats: [Self.format], mount: SensorMount())
    }
    func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat { format }
    func start() throws(CameraError) { due = clock.now() + .milliseconds(33) }
    func stop() {}
    func close() {}
    func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool { true }

    func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
      (mostSets, sets) = (max(mostSets, sets), 0)
      if due > clock.now() {
        if clock.wait(until: min(due, deadline), wake: wake) { return .woken }
        if due > deadline { return .timedOut }
      }
      latest = max(latest, clock.now() - due)
      frames += 1
      defer { due = due + .milliseconds(33) }
      guard let picture = try? PixelBufferPool().makeBuffer(Self.format.image) else { return .ended }
      return .frame(
        CapturedImage(
          image: picture, sequence: UInt32(frames), exposureTime: due, exposureEdge: .startOfExposure))
    }

    func capabilities() -> [CameraControlCapability] { [CameraControlCapability(.iso, 100...6400)] }
    func values(of controls: [CameraControl]) -> [CameraControl: CameraControlValue] { [:] }
    func set(_ values: [(control: CameraControl, value: CameraControlValue)]) -> [CameraControlResult] {
      clock.advance(by: .milliseconds(4))
      sets += 1
      return values.map { CameraControlResult($0.control, wanted: $0.value, took: $0.value) }
    }
  }

  /// `@unchecked Sendable`: one thread creates it, runs the loop and reads the camera's counts.
  private struct BusySource: CameraSource, @unchecked Sendable {
    let specification = "busy"
    let camera: BusyCamera
    func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera { camera }
  }

  /// A dragged slider sends a hundred requests at once. Frames must still arrive in time.
  @Test func ordersLeaveTimeForFrames() {
    let clock = SteppingClock()
    let camera = BusyCamera(clock)
    let setup = CaptureSetup(
      source: BusySource(camera: camera), number: 0, choice: { $0.first }, firstFrame: .seconds(5),
      stall: .seconds(1))
    let (answers, orders) = (Counter(), Locked(0))
    var loop = CaptureLoop(
      setup: setup, router: FrameRouter(rotation: RotationCoordinator()), clock: clock, wake: .make(),
      patience: setup.patience, controls: Locked(CameraOperator()), notify: { _ in },
      isReturnAbandoned: { false },
      nextOrder: {
        let number = orders.withLock { number in
          number += 1
          return number
        }
        // The first request comes when the stream already runs.
        guard number > 3, number <= 103 else { return nil }
        return ControlOrder(.set([ControlSetting(.iso, .number(Double(100 + number)))])) { _ in
          answers.increment()
        }
      })
    var commands: [CaptureCommand] = [.prepare(setup), .start]
    loop.run { () -> CaptureCommand? in
      if !commands.isEmpty { return commands.removeFirst() }
      return answers.value == 100 ? .exit : nil
    }
    #expect(answers.value == 100)
    #expect(camera.mostSets <= 3, "10 ms, and one more")
    #expect(camera.frames >= 10, "400 ms of orders")
    #expect(camera.lateness <= .milliseconds(12))
  }
}
