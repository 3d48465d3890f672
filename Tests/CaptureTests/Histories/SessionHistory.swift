import Imagery
import System

@testable import Capture

/// One random history of a session in virtual time: calls, controls, faults and rotations derived from a seed. At the end it
/// reports what went wrong.
///
/// Swift schedules tasks freely, so the same seed makes the same requests, but not always in the same order.
struct SessionHistory: Sendable {
  let seed: UInt64
  private let clock = VirtualClock()
  private let world: TroubledWorld
  private let ledger = AnswerLedger()

  init(seed: UInt64) {
    self.seed = seed
    var dice = Dice(seed)
    world = TroubledWorld(seed: seed &* 31 &+ 7, odds: dice.pick([nil, 200, 60, 20, 6]))
  }

  /// Plays the history.
  /// - Returns: what went wrong, one sentence each.
  func play() async -> [String] {
    weak var gone: CaptureSession?
    var (wrong, states): ([String], [SessionState?]) = ([], [])
    do {
      var configuration = SessionConfiguration()
      configuration.inactivityTimeout = .seconds(3)
      let session = CaptureSession(
        source: TroubledSource(world: world, name: "first"), configuration: configuration, clock: clock)
      gone = session
      let cast = Cast(session: session, clock: clock, world: world, ledger: ledger)
      await cast.begin()
      (states, wrong) = await act(cast)
    }
    wrong += verdict(states)
    // Objects that a task held are released a moment after it has ended.
    let end = SystemClock().now() + .seconds(20)
    while gone != nil, SystemClock().now() < end { await Task.yield() }
    if gone != nil { wrong.append("the session lives on") }
    return wrong
  }

  private func act(_ cast: Cast) async -> (states: [SessionState?], wrong: [String]) {
    var dice = Dice(seed ^ 0xA5A5_5A5A)
    let stages = StateLog()
    for _ in 0..<8 + dice.roll(25) {
      await stages.listen(to: cast.session)
      await cast.act(dice.roll(Cast.acts), &dice)
      let pause = dice.hits(12) ? 4000 : dice.pick([0, 0, 3, 20, 60, 150])
      if pause > 0 { await clock.run(for: .milliseconds(pause)) }
    }
    let wrong = await cast.end()
    return (wrong.isEmpty ? await stages.all() : [], wrong)
  }

  private func verdict(_ states: [SessionState?]) -> [String] {
    var wrong = ledger.mistakes + world.mistakes
    for case (let before?, let after?) in zip(states, states.dropFirst())
    where !SessionHistory.isAllowed(before, after) {
      wrong.append("\(before) was followed by \(after)")
    }
    if world.openCount != 0 { wrong.append("\(world.openCount) cameras are open") }
    if world.frames.lentCount != 0 { wrong.append("\(world.frames.lentCount) frames did not come back") }
    return wrong
  }

  /// Whether the state `after` may follow `before`, as `SessionState` documents: no picture appears without a start, and only a
  /// call leaves `failed`, `ended` and `paused`.
  static func isAllowed(_ before: SessionState, _ after: SessionState) -> Bool {
    switch (before, after) {
    case (.idle, .running), (.idle, .loading), (.idle, .ended): false
    case (.warm, .running), (.warm, .loading), (.warm, .ended): false
    case (.paused, .running), (.paused, .ended), (.paused, .loading): false
    case (.failed, .running), (.failed, .loading), (.failed, .ended), (.failed, .interrupted): false
    case (.ended, .running), (.ended, .loading), (.ended, .interrupted): false
    case (.running, .warm), (.running, .loading): false
    default: true
    }
  }
}

/// Records requests, and checks that each is answered once.
final class AnswerLedger: Sendable {
  private struct State {
    var open: [Int: String] = [:]
    var last = 0
    var mistakes: [String] = []
  }

  private let state = Locked(State())

  var openCount: Int { state.withLock { $0.open.count } }
  var open: [String] { state.withLock { $0.open.values.sorted() } }
  var mistakes: [String] { state.withLock { $0.mistakes } }

  func ask(_ what: String) -> Int {
    state.withLock { state in
      state.last += 1
      state.open[state.last] = what
      return state.last
    }
  }

  func answer(_ id: Int) {
    state.withLock { state in
      if state.open.removeValue(forKey: id) == nil {
        state.mistakes.append("request \(id) was answered twice")
      }
    }
  }

  func note(_ mistake: String) { state.withLock { $0.mistakes.append(mistake) } }
}

/// Records every state of a session. Nil separates streams: the stream of states ends when the session stops, and a new one is
/// opened.
private final class StateLog: Sendable {
  private struct State {
    var states: [SessionState?] = []
    var isListening = false
    var task: Task<Void, Never>?
  }

  private let state = Locked(State())

  func listen(to session: CaptureSession) async {
    let isNew = state.withLock { state in
      defer { state.isListening = true }
      if !state.isListening { state.states.append(nil) }
      return !state.isListening
    }
    guard isNew else { return }
    let states = await session.states()
    let task = Task { [self] in
      for await told in states {
        state.withLock { state in if state.states.last != told { state.states.append(told) } }
      }
      state.withLock { $0.isListening = false }
    }
    state.withLock { $0.task = task }
  }

  /// Returns the states, after the last stream has ended.
  func all() async -> [SessionState?] {
    await state.withLock { $0.task }?.value
    return state.withLock { $0.states }
  }
}
