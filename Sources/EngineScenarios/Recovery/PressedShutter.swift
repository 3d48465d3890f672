import Capture
import Imagery
import Locking
import Probes

/// A shutter in virtual time.
struct PressedShutter: Sendable {
  let clock: VirtualClock
  /// Asks for a photo, and returns when it is there.
  let photograph: @Sendable () async throws -> Void
  /// How many photos were asked for whose frame has not come yet.
  let waitingCount: @Sendable () -> Int

  /// A press that has been answered, or waits for its frame: no time has passed.
  func pressed() async throws -> Press {
    let (press, waiting) = (Press(), waitingCount())
    Task {
      do {
        try await photograph()
        press.answered(.photo)
      } catch { press.answered(.error("\(error)")) }
    }
    while !press.isAnswered, waitingCount() == waiting {
      try Task.checkCancellation()
      await Task.yield()
    }
    return press
  }

  /// The answer to a press. Time passes until its frame has come, and stands still while the photo is made, however long a busy
  /// machine takes for that.
  func taken() async throws -> InterruptedShutter.Answer {
    let press = try await pressed()
    for _ in 0..<500 where !press.isAnswered && waitingCount() > 0 {
      await clock.run(for: .milliseconds(1))
    }
    return await press.answer(soon: true)
  }

  final class Press: Sendable {
    private let state = Locked<InterruptedShutter.Answer?>(nil)

    var isAnswered: Bool { state.withLock { $0 != nil } }
    fileprivate func answered(_ answer: InterruptedShutter.Answer) { state.withLock { $0 = answer } }

    /// Without letting virtual time pass.
    /// - Parameter soon: an answer is due, and gets up to ten seconds of real time to arrive.
    func answer(soon: Bool) async -> InterruptedShutter.Answer {
      let limit = ContinuousClock.now + .seconds(10)
      while soon, !isAnswered, ContinuousClock.now < limit { try? await Task.sleep(for: .microseconds(50)) }
      return state.withLock { $0 } ?? .none
    }
  }
}

extension PressedShutter {
  static var settings: PhotoSettings {
    var settings = PhotoSettings()
    settings.longSide = 320
    return settings
  }

  /// The rig's shutter on a session.
  init(_ session: CaptureSession, _ output: PhotoOutput, clock: VirtualClock, shutter: RigShutter) {
    self.init(
      clock: clock,
      photograph: { _ = try await shutter.press(Self.settings, from: output, of: session) },
      waitingCount: { output.waitingCount })
  }
}
