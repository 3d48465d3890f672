import Capture
import Imagery
import Probes
import System

/// A running session whose cable is unplugged and plugged in again, repeatedly.
struct UnplugPlay: Sendable {
  let camera: LabCamera
  let rig: Rig
  let count: Int

  struct Log: Sendable {
    var rounds: [UnplugRound] = []
    var interval = Duration.zero
    /// Footprints before the first round, and after the session has stopped.
    var before = ProcessFootprint()
    var after = ProcessFootprint()
  }

  /// Time limit for a state, an answer or a picture.
  private static let patience = Duration.seconds(10)
  /// In every third round, another client keeps the old node open, so that the device returns under another number.
  private static let holdEvery = 3

  /// The session under test, with its observers.
  private struct Stage: Sendable {
    let play: Play
    let shutter: Shutter
    let states: StateLog
  }

  func run() async throws -> Log {
    let play = await Play(
      source: camera.source, chart: nil, size: PixelSize(width: 320, height: 180), interval: .zero, rig: rig)
    let photos = rig.makePhotoOutput(clock: SystemClock())
    await play.session.add(photos)
    let stage = Stage(
      play: play, shutter: Shutter(session: play.session, output: photos),
      states: await StateLog(of: play.session))
    let outcome = await result(stage)
    await play.session.stop()
    await stage.states.finish()
    var log = try outcome.get()
    log.after = await ProcessFootprint.lasting()
    return log
  }

  private func result(_ stage: Stage) async -> Result<Log, any Error> {
    do { return .success(try await live(stage)) } catch { return .failure(error) }
  }

  private func live(_ stage: Stage) async throws -> Log {
    var log = Log()
    try await stage.play.session.start()
    guard await settle(stage) else {
      throw LabTrouble("\(camera.name) showed no picture at first; try it with `swiftwing view`")
    }
    log.interval = await stage.play.session.format?.frameInterval.duration ?? .zero
    // Takes a photo before anything is counted, so that the resources created for the first photo exist already.
    stage.shutter.press()
    _ = await stage.shutter.untilAnswered(within: Self.patience)
    _ = await settle(stage)
    log.before = await ProcessFootprint.lasting()
    for index in 0..<count {
      try Task.checkCancellation()
      let round = try await self.round(stage, index)
      log.rounds.append(round)
      // A session without pictures cannot be tested further.
      guard round.shown != nil else { break }
    }
    return log
  }

  /// Waits for a few more pictures, so that pending work is done.
  private func settle(_ stage: Stage) async -> Bool {
    await stage.play.untilPresented(stage.play.log.count + 4, within: Self.patience)
  }
}

// MARK: One round

extension UnplugPlay {
  private func round(_ stage: Stage, _ index: Int) async throws -> UnplugRound {
    let isHeld = index % Self.holdEvery == 1 && index < count - 1
    guard let node = try await camera.currentNode() else {
      throw LabTrouble("\(camera.name) is not plugged in; plug it in with `lab-ctl \(camera.name) replug`")
    }
    var witness: DeviceWitness? = try DeviceWitness(node: node)
    let (marked, answered) = (stage.states.all.count, stage.shutter.all.count)
    let commanded = try await unplugWhilePressing(stage)
    let mark = await stage.states.interruption(after: marked, within: Self.patience)
    var round = UnplugRound(
      commanded: commanded, hungUp: await witness?.hangup(), published: mark?.time, nodeBefore: node,
      isHeld: isHeld, presses: [], unanswered: 0)
    if case .interrupted(let reason)? = mark?.state { round.reason = reason }
    stage.shutter.press()
    _ = await stage.shutter.untilAnswered(within: Self.patience)
    round.presses = Array(stage.shutter.all.dropFirst(answered))
    round.unanswered = stage.shutter.waiting
    if !isHeld { witness = nil }
    try await plugIn(stage, &round)
    witness = nil
    if round.shown != nil, await settle(stage) { round.footprint = await ProcessFootprint.lasting() }
    return round
  }

  /// Unplugs the camera. The command takes a moment to reach the kernel; photos are requested meanwhile, so that some are pending when it does.
  private func unplugWhilePressing(_ stage: Stage) async throws -> MonotonicTime {
    let pressing = Task {
      while !Task.isCancelled, await stage.play.session.state == .running {
        stage.shutter.press()
        try? await Task.sleep(for: .milliseconds(12))
      }
    }
    defer { pressing.cancel() }
    let commanded = try await camera.unplug()
    let deadline = MonotonicTime.now() + Self.patience
    while await stage.play.session.state == .running, MonotonicTime.now() < deadline {
      try await Task.sleep(for: .milliseconds(2))
    }
    return commanded
  }

  private func plugIn(_ stage: Stage, _ round: inout UnplugRound) async throws {
    let shown = stage.play.log.count
    _ = try await camera.replug()
    let isShown = await stage.play.untilPresented(shown + 1, within: Self.patience)
    round.nodeAfter = try await camera.currentNode()
    round.returned = round.nodeAfter.flatMap { NodeBirth.time(of: $0) }
    guard isShown, let first = stage.play.log.all.dropFirst(shown).first else { return }
    round.shown = first.presentedTime
    let timeline = await stage.play.session.timeline
    round.prepared = timeline.prepared
    round.started = timeline.started
  }
}
