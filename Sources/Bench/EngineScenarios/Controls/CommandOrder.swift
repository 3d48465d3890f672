import Capture
import Harness
import Imagery
import Probes
import Replay
import System

/// CON-1: two clients that operate one camera.
struct CommandOrder: Scenario {
  let id = "controls.order"
  let suite = Suite.controls
  let title = "Two clients, one order"
  let purpose =
    "A page and a remote that both turn the wheel must end with the last requested value, and both must "
    + "be answered."
  let exampleFailure = "A session that drops a command that comes while another is under way."
  let requirements: [RequirementID] = ["CON-1"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  /// Returns the number of commands of both clients together.
  private static func count(_ duration: RunDuration) -> Int { duration == .turn ? 200 : 10_000 }

  struct Log: Sendable {
    /// The values that the device was given, in order. Odd values are the second client's.
    var given: [Int] = []
    var answers = 0
    var asked = 0
    /// The value that the session reports at the end. Nil if the session reports none.
    var told: Double?
  }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let right = Log(given: [100, 101, 102, 103], answers: 4, asked: 4, told: 103)
    var lost = right
    lost.given = [100, 101, 103]
    var swapped = right
    swapped.given = [102, 101, 100, 103]
    var unanswered = right
    unanswered.answers = 3
    func failing(_ log: Log) -> Int { Self.observation(log).checks.count { !$0.passed } }
    guard failing(right) == 0, failing(lost) == 1, failing(swapped) == 1, failing(unanswered) == 1 else {
      return .failed("a lost, a late or an unanswered command was not reported")
    }
    return .passed("a command that is lost, one out of order and one without an answer are each reported")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let asked = Self.count(context.duration)
    let source = SensorSource(framesPerSecond: 30) { $0.isos = 100...Double(100 + asked) }
    let play = await SensorPlay(source, rig: rig)
    let log = try await play.session.ending {
      try await play.session.start()
      try await play.run(.milliseconds(500))
      _ = await play.session.set([(.exposureMode, .choice("manual")), (.exposureDuration, .number(0.01))])
      try await play.run(.milliseconds(500))
      let before = play.truth.commands.count
      async let first = Self.client(0, of: asked, play.session)
      async let second = Self.client(1, of: asked, play.session)
      var log = Log(asked: asked)
      log.answers = await first + second
      log.given = play.truth.commands.dropFirst(before).filter { $0.control == .iso }.compactMap {
        $0.value.number.map { Int($0) }
      }
      log.told = await play.session.controls.values[.iso]?.number
      return log
    }
    return Self.observation(log)
  }

  /// Sets every second value, in ascending order from `number`. Returns how many values were accepted.
  private static func client(_ number: Int, of count: Int, _ session: CaptureSession) async -> Int {
    var answers = 0
    for value in stride(from: number, to: count, by: 2) {
      let result = await session.set(.iso, to: .number(Double(100 + value)))
      answers += result.refusal == nil ? 1 : 0
      if value % 16 == number { await Task.yield() }
    }
    return answers
  }

  static func observation(_ log: Log) -> Observation {
    func check(_ name: String, _ title: String, passed: Bool, detail: String) -> Check {
      Check(
        id: "controls.order.\(name)", title: title, passed: passed, subjects: log.asked, detail: detail,
        requirement: "CON-1")
    }
    let rises = [0, 1].allSatisfy { client in
      let own = log.given.filter { $0 % 2 == client }
      return zip(own, own.dropFirst()).allSatisfy(<)
    }
    let isLast = log.told.map { Int($0) } == log.given.last
    return Observation(checks: [
      check(
        "lost", "The device is given every value", passed: log.given.count == log.asked,
        detail: "\(log.given.count) of \(log.asked)"),
      check(
        "order", "Each client's values come in its order", passed: rises, detail: "\(log.given.count) values"),
      check(
        "answered", "Each call is answered once", passed: log.answers == log.asked,
        detail: "\(log.answers) of \(log.asked)"),
      check(
        "last", "The value reported in the end is the one set last", passed: isLast,
        detail: "\(log.told ?? .nan) reported, \(log.given.last ?? 0) set"),
    ])
  }
}
