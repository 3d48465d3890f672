import Capture
import Harness
import Imagery
import Probes
import System

/// INT-1, INT-2: another client uses the camera.
struct SecondClient: Scenario {
  let id = "recovery.second-client"
  let suite = Suite.device
  let title = "In use by another"
  let purpose =
    "A video call has the camera: the scanner should report this, wait, and continue by itself when the "
    + "call is over."
  let exampleFailure =
    "An engine that tries again at ever longer intervals, and stands still for seconds after the camera is free."
  let requirements: [RequirementID] = ["INT-1", "INT-2"]
  let rig: Rig

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }
    let early = Presentation.example(exposure: at(90), presented: at(95))
    let late = Presentation.example(exposure: at(180), presented: at(190))
    let seen = SecondClientPlay.resumed(freed: at(100), in: [early, late])
    guard seen == 90, SecondClientPlay.resumed(freed: at(200), in: [early, late]) == nil else {
      return .failed("a made-up wait of 90 ms was read as \(seen.map { "\($0)" } ?? "none")")
    }
    return .passed("an invented wait of 90 ms was read as 90 ms, and one without an end was not counted")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    guard let specification = rig.specification, specification.hasPrefix("/dev/") else {
      throw Unsupported("only a device has other clients; name one: `--source /dev/video0`")
    }
    let count = context.duration.takings
    let log = try await SecondClientPlay(rig: rig, specification: specification, count: count).run()
    return observation(log, count)
  }

  func observation(_ log: SecondClientPlay.Log, _ count: Int) -> Observation {
    func metric(_ name: String, _ title: String, samples: [Double]) -> Measurement {
      Measurement(id: "\(id).\(name)", title: title, unit: .milliseconds, level: .buffer, samples: samples)
    }
    func check(_ name: String, _ title: String, good: Int, of: Int, requirement: RequirementID) -> Check {
      Check(
        id: "\(id).\(name)", title: title, passed: good == of, subjects: of, detail: "\(good) of \(of)",
        requirement: requirement)
    }
    return Observation(
      metrics: [
        metric("resumed", "The other client lets go → the first picture is shown", samples: log.resumed),
        metric("device", "The device's own first frame, from open to buffer", samples: log.device),
      ],
      checks: [
        check(
          "published", "Published as deviceInUse, photos refused", good: log.published, of: count,
          requirement: "INT-1"),
        check(
          "back", "Pictures come again without the user", good: log.resumed.count, of: count,
          requirement: "INT-2"),
        check(
          "undisturbed", "While our session streams, another client is refused, and ours continues",
          good: log.undisturbed,
          of: count,
          requirement: "INT-1"),
      ],
      notes: [
        "The other client is in this process too; the kernel treats it like another program."
      ])
  }
}

/// A session whose camera another client takes repeatedly, while the session is in the background.
struct SecondClientPlay: Sendable {
  let rig: Rig
  let specification: String
  let count: Int

  struct Log: Sendable {
    var resumed: [Double] = []
    /// Milliseconds that the device alone took to its first frame, just before each value of `resumed` was measured.
    var device: [Double] = []
    var published = 0
    var undisturbed = 0
  }

  /// Returns the milliseconds from the end of the other client's use to the first picture captured after it.
  static func resumed(freed: MonotonicTime, in pictures: [Presentation]) -> Double? {
    pictures.first { $0.presentedTime > freed && $0.frame.arrivalTime > freed }
      .map { ($0.presentedTime - freed).milliseconds }
  }

  func run() async throws -> Log {
    let play = await Play(
      source: try rig.source(orBundled: specification), chart: nil, size: PixelSize(width: 320, height: 180),
      interval: .zero, rig: rig)
    let photos = rig.makePhotoOutput(clock: SystemClock())
    await play.session.add(photos)
    var log = Log()
    do {
      try await play.session.start()
      for index in 0..<count {
        try Task.checkCancellation()
        guard await play.untilPresented(play.log.count + 3, within: .seconds(10)) else { break }
        if try await isUndisturbed(play) { log.undisturbed += 1 }
        try await away(play, photos, index: index, log: &log)
      }
    } catch {
      await play.session.stop()
      throw error
    }
    await play.session.stop()
    return log
  }

  /// Returns whether another client is refused as busy while the pictures go on.
  private func isUndisturbed(_ play: Play) async throws -> Bool {
    let source = try rig.source(orBundled: specification)
    let isRefused = try await onOwnThread {
      do {
        try OtherClient(source).close()
        return false
      } catch CameraError.Code.busy { return true }
    }
    let goesOn = await play.untilPresented(play.log.count + 3, within: .seconds(2))
    return isRefused && goesOn
  }

  /// Waits until the session reports the camera as in use, at most 5 seconds, because a busy machine may take long.
  private func untilInterrupted(_ session: CaptureSession) async {
    let deadline = MonotonicTime.now() + .seconds(5)
    while await session.state != .interrupted(.deviceInUse), MonotonicTime.now() < deadline, !Task.isCancelled
    {
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  private func away(_ play: Play, _ photos: PhotoOutput, index: Int, log: inout Log) async throws {
    await play.session.background()
    let alone = try await DeviceStart(rig: rig, bundled: specification).samples(count: 1)
    let source = try rig.source(orBundled: specification)
    let other = try await onOwnThread { try OtherClient(source) }
    try await play.session.foreground()
    // The delay differs from round to round, so that the other client releases the device at every phase between two checks of the session.
    try await Task.sleep(for: .milliseconds(60 + index * 37 % 400))
    await untilInterrupted(play.session)
    let shown = play.log.count
    var isRefused = false
    do { _ = try await play.session.capturePhoto(from: photos) } catch SessionError.Code.captureRefused {
      isRefused = true
    } catch {}
    if await play.session.state == .interrupted(.deviceInUse), isRefused { log.published += 1 }
    let freed = try await onOwnThread { other.close() }
    guard await play.untilPresented(shown + 1, within: .seconds(10)) else { return }
    if let time = Self.resumed(freed: freed, in: Array(play.log.all.dropFirst(shown))) {
      log.resumed.append(time)
      log.device += alone
    }
  }
}

/// A client that has the device streaming and does nothing with it.
///
/// `@unchecked Sendable`: created on one thread and closed on another, one after the other.
final class OtherClient: @unchecked Sendable {
  private let camera: any Camera

  /// - Throws: `busy` if another client has the device.
  init(_ source: any CameraSource) throws {
    camera = try source.makeCamera(clock: SystemClock())
    do {
      guard let format = SessionConfiguration().chooseFormat(try camera.open().formats) else {
        throw Unsupported("\(source.specification) offers no format that can be read; name another source")
      }
      _ = try camera.prepare(format)
      try camera.start()
    } catch {
      camera.stop()
      camera.close()
      throw error
    }
  }

  /// - Returns: the time of the release, between stopping the stream and freeing the buffers.
  @discardableResult func close() -> MonotonicTime {
    camera.stop()
    let time = MonotonicTime.now()
    camera.close()
    return time
  }
}

extension RunDuration {
  fileprivate var takings: Int {
    switch self {
    case .turn, .short: 10
    case .full: 40
    case .soak: 400
    }
  }
}
