import Capture
import Harness
import Imagery
import Locking
import Probes

/// A state of a session, and when it was published.
struct RecoveryMark: Sendable {
  let state: SessionState
  let time: MonotonicTime
}

/// Unplugs a camera under a running session, and plugs it in again.
struct ReplugTrial {
  let camera: QualifiedCamera
  let plug: CameraPlug

  struct Found {
    /// In milliseconds.
    var detected: [Double] = []
    var resumed: [Double] = []
    var untold: [String] = []
  }

  func run(rounds: Int) async throws -> Found {
    let play = await Play(
      source: camera.source(in: camera.plan.light), chart: nil, size: PixelSize(width: 320, height: 180),
      interval: .zero, rig: camera.rig(in: camera.plan.light))
    let marks = Marks()
    let states = await play.session.states()
    let watcher = Task { for await state in states { marks.add(state) } }
    try await play.session.start()
    var found = Found()
    for round in 0..<rounds {
      guard !Task.isCancelled else { break }
      await self.round(round, play, marks, &found)
    }
    await play.session.stop()
    await watcher.value
    try Task.checkCancellation()
    return found
  }

  private func round(_ number: Int, _ play: Play, _ marks: Marks, _ found: inout Found) async {
    _ = await play.untilPresented(play.log.all.count + 3, within: .seconds(10))
    let known = marks.all.count
    guard let pulled = try? plug.pull() else {
      found.untold.append("round \(number + 1): it could not be unplugged")
      return
    }
    let mark = await marks.next(after: known) { marks in Self.interruption(in: marks, after: known) }
    // Plugged in whatever happens: nobody is to find a camera gone.
    let pushed = try? plug.push()
    switch mark?.state {
    case .interrupted(.deviceDisconnected):
      found.detected.append(max(.zero, (mark?.time ?? pulled) - pulled).milliseconds)
    case .some(let state): found.untold.append("round \(number + 1): it said \(state)")
    case nil: found.untold.append("round \(number + 1): nothing was said in 5 s")
    }
    guard let pushed else { return }
    let shown = play.log.all.count
    guard await play.untilPresented(shown + 1, within: .seconds(10)) else { return }
    let first = play.log.all.dropFirst(shown).first
    if let first { found.resumed.append(max(.zero, first.presentedTime - pushed).milliseconds) }
  }

  static func interruption(in marks: [RecoveryMark], after count: Int) -> RecoveryMark? {
    marks.dropFirst(count).first { if case .interrupted = $0.state { true } else { false } }
  }
}

/// What a session said of itself.
private final class Marks: Sendable {
  private let marks = Locked<[RecoveryMark]>([])

  var all: [RecoveryMark] { marks.withLock { $0 } }
  func add(_ state: SessionState) { marks.withLock { $0.append(RecoveryMark(state: state, time: .now())) } }

  /// The mark that `find` finds within 5 s.
  func next(after count: Int, _ find: ([RecoveryMark]) -> RecoveryMark?) async -> RecoveryMark? {
    let deadline = MonotonicTime.now() + .seconds(5)
    while MonotonicTime.now() < deadline {
      if let mark = find(all) { return mark }
      try? await Task.sleep(for: .milliseconds(2))
    }
    return nil
  }
}
