import Capture
import Harness
import Imagery
import Probes

/// INT-6: a session that is started and stopped repeatedly.
struct DeviceRestarts: Scenario {
  let id = "device.restarts"
  let suite = Suite.device
  let title = "Started and stopped again and again"
  let purpose =
    "A viewfinder is opened and closed a hundred times a day; what each time leaves behind ends the program after a week."
  let exampleFailure =
    "A session that forgets one of its driver's buffers at each stop: after a thousand starts the process has no memory left to map."
  let requirements: [RequirementID] = ["INT-6"]
  let rig: Rig

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let sound = RestartLog(
      before: ProcessFootprint(), rounds: Self.rounds(40, leak: 0), started: 40, photos: 4)
    let leaking = RestartLog(
      before: ProcessFootprint(), rounds: Self.rounds(40, leak: 1), started: 39, photos: 3)
    let passed = checks(sound, of: 40).filter(\.passed).count
    let failed = checks(leaking, of: 40).filter { !$0.passed }.map(\.id)
    guard passed == 4, failed.count == 4 else {
      return .failed("of four rules \(passed) passed a sound row, and \(failed.count) failed one with leaks")
    }
    return .passed(
      "an invented row without leaks passed; one with a leak, a start without a picture and a missing "
        + "photo did not"
    )
  }

  private static func rounds(_ count: Int, leak: Int) -> [ProcessFootprint] {
    (0..<count).map { index in
      ProcessFootprint(
        descriptors: 9 + leak * index, videoDescriptors: leak, mappings: 50 + leak * index,
        videoMappings: leak,
        threads: 3, engineThreads: leak)
    }
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    guard let specification = rig.specification, specification.hasPrefix("/dev/") else {
      throw Unsupported("only a device has a driver's buffers; name one: `--source /dev/video0`")
    }
    let count = context.duration.restarts
    let log = try await RestartPlay(rig: rig, specification: specification).log(of: count)
    return Observation(
      checks: checks(log, of: count),
      notes: ["\(count) starts and stops of one session, with a photo at every tenth."])
  }

  func checks(_ log: RestartLog, of count: Int) -> [Check] {
    func check(_ name: String, _ title: String, passed: Bool, subjects: Int, detail: String) -> Check {
      Check(
        id: "\(id).\(name)", title: title, passed: passed, subjects: subjects, detail: detail,
        requirement: "INT-6")
    }
    let held = log.rounds.map { print in
      print.videoDescriptors - log.before.videoDescriptors + print.videoMappings - log.before.videoMappings
        + print.engineThreads - log.before.engineThreads
    }
    let descriptors = Growth(counts: log.rounds.map(\.descriptors)).lasting
    let mappings = Growth(counts: log.rounds.map(\.mappings)).lasting
    return [
      check(
        "started", "Each start has a picture", passed: log.started == count, subjects: count,
        detail: "\(log.started) of \(count)"),
      check(
        "photos", "Each tenth has a photo", passed: log.photos == (count + 9) / 10,
        subjects: (count + 9) / 10,
        detail: "\(log.photos) of \((count + 9) / 10)" + (log.refusals.first.map { "; \($0)" } ?? "")),
      check(
        "held", "After each stop no descriptor, buffer or thread of the engine is left",
        passed: held.allSatisfy { $0 == 0 },
        subjects: held.count,
        detail: "\(held.count { $0 != 0 }) of \(held.count) stops left something, at most \(held.max() ?? 0)"),
      check(
        "growth", "Descriptors and mapped areas of the process do not grow",
        // The thread pool of the Swift runtime maps a stack now and then.
        passed: descriptors <= 0 && mappings <= max(2, count / 20), subjects: log.rounds.count,
        detail: "\(descriptors) descriptors and \(mappings) areas more at the end than at the beginning"),
    ]
  }
}

/// The resources held after each stop.
struct RestartLog: Sendable {
  var before: ProcessFootprint
  var rounds: [ProcessFootprint] = []
  /// Number of starts that showed a picture.
  var started = 0
  var photos = 0
  /// Why photos were not taken, a sentence each.
  var refusals: [String] = []
}

/// Repeated starts and stops of one session with its outputs.
struct RestartPlay: Sendable {
  let rig: Rig
  let specification: String

  private static let patience = Duration.seconds(10)

  func log(of count: Int) async throws -> RestartLog {
    let play = await Play(
      source: try rig.source(orBundled: specification), chart: nil, size: PixelSize(width: 160, height: 90),
      interval: .zero, rig: rig)
    let photos = rig.makePhotoOutput(clock: SystemClock())
    await play.session.add(photos)
    var log = RestartLog(before: try await onOwnThread { ProcessFootprint.now() })
    for round in 0..<count {
      try Task.checkCancellation()
      let (isShown, photo) = try await play.session.ending {
        try await play.session.start()
        let isShown = await play.untilPresented(play.log.count + 1, within: Self.patience)
        return (isShown, round % 10 == 0 ? try await refusal(of: play, photos) : nil)
      }
      log.started += isShown ? 1 : 0
      if let photo {
        log.photos += photo.isEmpty ? 1 : 0
        if !photo.isEmpty { log.refusals.append("at start \(round + 1): \(photo)") }
      }
      log.rounds.append(try await onOwnThread { ProcessFootprint.now() })
    }
    return log
  }

  /// Takes a photo. Returns why there is no photo, or an empty text if there is a photo. A session that is interrupted for a moment, for
  /// example by frames that other programs delay, gets another request after its next picture.
  private func refusal(of play: Play, _ output: PhotoOutput) async throws -> String {
    var reason = ""
    for _ in 0..<3 {
      do {
        if await play.session.comesToRun() {
          _ = try await play.session.capturePhoto(PhotoSettings(longSide: 64), from: output)
          return ""
        }
        reason = "the session is \(await play.session.state)"
      } catch let error as SessionError {
        guard error.code == .captureRefused || error.code == .captureInterrupted else { throw error }
        reason = error.description
      }
      guard await play.untilPresented(play.log.count + 1, within: Self.patience) else { break }
    }
    return reason
  }
}

extension RunDuration {
  fileprivate var restarts: Int {
    switch self {
    case .turn, .short: 100
    case .full, .soak: 1000
    }
  }
}
