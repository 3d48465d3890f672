import Capture
import Imagery
import Probes
import System

/// A shutter in virtual time.
struct PressedShutter: Sendable {
  let clock: VirtualClock
  /// Asks for a photo, and returns when it is there.
  let photograph: @Sendable () async throws -> Void
  /// How many photos were asked for whose frame has not come yet.
  let waitingCount: @Sendable () -> Int

  /// A press that has been answered, or waits for its frame: no time has passed.
  func pressed() async throws -> Press {
    let (press, waiting) = (Press(clock: clock), waitingCount())
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
    private let clock: VirtualClock
    private let state = Locked<InterruptedShutter.Answer?>(nil)
    /// An answer that has been given is here after a few turns of its task; this many mean that there is none.
    private static let turns = 1000

    fileprivate init(clock: VirtualClock) { self.clock = clock }

    var isAnswered: Bool { state.withLock { $0 != nil } }
    fileprivate func answered(_ answer: InterruptedShutter.Answer) { state.withLock { $0 = answer } }

    /// Without letting virtual time pass, and whatever a busy machine takes for it: turns are counted, and not seconds.
    /// - Parameter soon: an answer is due, and is waited for while the engine works, and for so many turns after that.
    func answer(soon: Bool) async -> InterruptedShutter.Answer {
      var turns = 0
      while soon, !isAnswered, turns < Self.turns, !Task.isCancelled {
        turns = clock.isIdle ? turns + 1 : 0
        try? await Task.sleep(for: .microseconds(50))
      }
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
