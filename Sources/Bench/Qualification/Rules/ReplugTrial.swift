import Capture
import Imagery
import Probes
import System

/// A trial that unplugs a camera during a session, and plugs it in again.
struct ReplugTrial {
  let camera: QualifiedCamera
  let plug: CameraPlug

  struct Found {
    /// Milliseconds to the detection of each unplugging.
    var detected: [Double] = []
    /// Milliseconds to each resumption.
    var resumed: [Double] = []
    var untold: [String] = []
  }

  func run(rounds: Int) async throws -> Found {
    let play = await Play(
      source: camera.source(in: camera.plan.light), chart: nil, size: PixelSize(width: 320, height: 180),
      interval: .zero, rig: camera.rig(in: camera.plan.light))
    let states = await StateLog(of: play.session)
    try await play.session.start()
    var found = Found()
    for round in 0..<rounds {
      guard !Task.isCancelled else { break }
      await self.round(round, play, states: states, found: &found)
    }
    await play.session.stop()
    await states.finish()
    try Task.checkCancellation()
    return found
  }

  private func round(_ number: Int, _ play: Play, states: StateLog, found: inout Found) async {
    _ = await play.untilPresented(play.log.all.count + 3, within: .seconds(10))
    let known = states.all.count
    guard let pulled = try? plug.pull() else {
      found.untold.append("round \(number + 1): it could not be unplugged")
      return
    }
    let mark = await states.interruption(after: known, within: .seconds(5))
    // Plugs the camera in again in any case, so that it is not missing afterwards.
    let pushed = try? plug.push()
    switch mark?.state {
    case .interrupted(.deviceDisconnected):
      found.detected.append(max(.zero, (mark?.time ?? pulled) - pulled).milliseconds)
    case .some(let state): found.untold.append("round \(number + 1): it reported \(state)")
    case nil: found.untold.append("round \(number + 1): nothing was reported in 5 s")
    }
    guard let pushed else { return }
    let shown = play.log.all.count
    guard await play.untilPresented(shown + 1, within: .seconds(10)) else { return }
    let first = play.log.all.dropFirst(shown).first
    if let first { found.resumed.append(max(.zero, first.presentedTime - pushed).milliseconds) }
  }
}
