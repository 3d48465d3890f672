import Capture
import Imagery
import System

/// A shutter in virtual time.
struct PressedShutter: Sendable {
  let clock: VirtualClock
  /// A function that requests a photo, and returns when the photo is finished.
  let photograph: @Sendable () async throws -> Void
  /// A function that returns the number of requested photos whose frame has not come yet.
  let waitingCount: @Sendable () -> Int

  /// Requests a photo, and returns once it is answered or waits for its frame. No time passes.
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

  /// Returns the answer to a request. Time passes until its frame has come, and stands still while the photo is made, however long a busy machine
  /// takes for that.
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
    /// Maximum number of waits of 50 µs for an answer while the engine is idle. An answer that was given is visible after a few of them.
    private static let turns = 1000

    fileprivate init(clock: VirtualClock) { self.clock = clock }

    var isAnswered: Bool { state.withLock { $0 != nil } }
    fileprivate func answered(_ answer: InterruptedShutter.Answer) { state.withLock { $0 = answer } }

    /// Returns the answer without advancing virtual time. Waits are counted rather than timed, so that a busy machine has no effect.
    /// - Parameter soon: whether an answer is due. If so, the answer is awaited as long as the engine works, and for `turns` waits after that.
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

  /// Creates the shutter of a session.
  init(_ session: CaptureSession, _ output: PhotoOutput, clock: VirtualClock) {
    self.init(
      clock: clock, photograph: { _ = try await session.capturePhoto(Self.settings, from: output) },
      waitingCount: { output.waitingCount })
  }
}
