import Capture
import Harness
import Probes
import System

/// INT-1, COLD-3, PER-1 on a camera that streams without a picture, or may not be opened: the state reports the trouble.
struct StubbornCamera: Scenario {
  enum Trouble: Sendable { case late, undecodable, unreadable }

  let id: String
  let suite = Suite.device
  let title: String
  let purpose: String
  let exampleFailure: String
  let requirements: [RequirementID]
  let trouble: Trouble
  let rig: Rig

  /// Longer than the deadline for frames in a stream, and shorter than the deadline for the first frame.
  static let lateness = Duration.milliseconds(1800)

  static func late(rig: Rig) -> StubbornCamera {
    StubbornCamera(
      id: "device.late-frame", title: "A first frame that takes its time",
      purpose:
        "Some cameras focus or find their exposure first and deliver nothing for seconds; they work if the engine waits.",
      exampleFailure: "A watchdog that restarts the stream after half a second, for ever.",
      requirements: ["COLD-3", "INT-3"], trouble: .late, rig: rig)
  }

  static func undecodable(rig: Rig) -> StubbornCamera {
    StubbornCamera(
      id: "device.undecodable", title: "A stream without a picture in it",
      purpose:
        "A camera whose frames are all broken shows nothing; a session that calls this running leaves the user with a black screen.",
      exampleFailure: "An engine that counts buffers instead of pictures.", requirements: ["INT-1", "INT-2"],
      trouble: .undecodable, rig: rig)
  }

  static func unreadable(rig: Rig) -> StubbornCamera {
    StubbornCamera(
      id: "device.unreadable", title: "A device that may no longer be opened",
      purpose:
        "When permission is taken away while a program runs, the user must be told this, and not that a "
        + "cable is unplugged.",
      exampleFailure:
        "A session that calls it disconnected, and cannot be started when the permission is back.",
      requirements: ["INT-1", "PER-1"], trouble: .unreadable, rig: rig)
  }

  /// Proves with made-up sequences of states that every known mistake fails and that the right sequence passes.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let denied = SessionState.failed(.permissionDenied("/dev/video0"))
    let (right, wrong): ([SessionState], [[SessionState]]) =
      switch trouble {
      case .late:
        (
          [.starting, .loading, .running],
          [[.starting, .interrupted(.streamStalled), .running], [.starting, .running]]
        )
      case .undecodable:
        ([.starting, .interrupted(.streamStalled)], [[.starting, .running], [.starting]])
      case .unreadable:
        (
          [.interrupted(.streamStalled), denied],
          [
            [.interrupted(.streamStalled), .interrupted(.deviceDisconnected), denied],
            [.interrupted(.streamStalled)],
            [.interrupted(.streamStalled), .failed(.broken("/dev/video0", reason: "so"))],
          ]
        )
      }
    guard complaint(right) == nil, wrong.allSatisfy({ complaint($0) != nil }) else {
      return .failed("of invented sequences of states a wrong one passed, or the right one did not")
    }
    return .passed("the right course of states passes, \(wrong.count) wrong ones do not")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let lab = try DeviceLab()
    let node = try await onOwnThread { [rig] in
      try LabNode.first(lab, rig, wanted: NodeWish("USB camera") { $0.isUSB })
    }
    let source = try rig.source(
      at: node.path + (trouble == .undecodable ? "?format=MJPG" : "?format=YUYV&size=640x360"))
    let trial = StubbornTrial(
      lab: lab, name: node.name, watch: await DeviceWatch(source: source, rig: rig))
    let course = try await trial.watch.play.session.ending {
      try await trial.mending(["late 0", "garbage off", "permit", "stall off"]) {
        try await trial.run(trouble)
      }
    }
    let complaint = complaint(course.states)
    let told = course.states.map(\.description).joined(separator: ", ")
    return Observation(
      checks: [
        Check(
          id: "\(id).told", title: "The published state names the real reason", passed: complaint == nil,
          subjects: course.states.count, detail: complaint.map { "\($0): \(told)" } ?? told,
          requirement: requirements[0]),
        Check(
          id: "\(id).pictures", title: "Pictures come once the cause is gone", passed: course.shown,
          subjects: 1, detail: course.shown ? "they came" : "none in \(DeviceWatch.patience)",
          requirement: requirements[1]),
      ], notes: ["On \(node.name), \(node.path)."])
  }

  /// Returns the mistake in the states during the trouble. Nil if the states are right.
  func complaint(_ states: [SessionState]) -> String? {
    func isInterruption(_ state: SessionState) -> Bool {
      if case .interrupted = state { true } else { false }
    }
    switch trouble {
    case .late:
      if states.contains(where: isInterruption) {
        return "waiting for the first frame was called an interruption"
      }
      guard let loading = states.firstIndex(of: .loading), let running = states.firstIndex(of: .running),
        loading < running
      else { return "the wait was not reported" }
    case .undecodable:
      if states.contains(.running) { return "a stream without a picture was called running" }
      if !states.contains(where: isInterruption) { return "nothing was reported" }
    case .unreadable:
      if states.contains(.interrupted(.deviceDisconnected)) { return "it was called disconnected" }
      guard case .failed(let error) = states.last, error.code == .permissionDenied else {
        return "the missing permission was not reported"
      }
    }
    return nil
  }
}

/// A session on a camera in trouble.
struct StubbornTrial: Sendable {
  let lab: DeviceLab
  let name: String
  let watch: DeviceWatch

  /// - Returns: the states published during the trouble, and whether there were pictures after it.
  func run(_ trouble: StubbornCamera.Trouble) async throws -> (states: [SessionState], shown: Bool) {
    switch trouble {
    case .late:
      try await command("late \(Int(StubbornCamera.lateness.milliseconds))")
      try await watch.start()
      let shown = await watch.play.untilPresented(5, within: DeviceWatch.patience)
      return (states(after: 0), shown)
    case .undecodable:
      try await command("garbage on")
      try await watch.start()
      _ = await watch.until { watch.interruption(after: 0) }
      let states = states(after: 0)
      try await command("garbage off")
      return (states, await isShown())
    case .unreadable:
      try await watch.start()
      _ = await watch.play.untilPresented(5, within: DeviceWatch.patience)
      let before = watch.states.count
      try await command("forbid")
      try await command("stall on")
      _ = await watch.until { watch.states.dropFirst(before).first(where: \.isFailure) }
      let states = states(after: before)
      try await command("permit")
      try await command("stall off")
      try await watch.start()
      return (states, await isShown())
    }
  }

  /// Runs `body` and then reverts the trouble, also after an error.
  func mending<Value: Sendable>(
    _ commands: [String], after body: @Sendable () async throws -> Value
  ) async throws -> Value {
    let result: Result<Value, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    for remedy in commands { try? await command(remedy) }
    return try result.get()
  }

  private func states(after count: Int) -> [SessionState] { watch.states.dropFirst(count).map(\.state) }

  private func isShown() async -> Bool {
    let now = MonotonicTime.now()
    return await watch.until { watch.picture(after: now) } != nil
  }

  private func command(_ text: String) async throws {
    let words = text.split(separator: " ").map(String.init)
    _ = try await onOwnThread { [lab, name] in try lab.command(name, words) }
  }
}

extension StateMark {
  fileprivate var isFailure: Bool { if case .failed = state { true } else { false } }
}
