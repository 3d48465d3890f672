import Foundation
import Glibc
import Testing

@testable import Console

/// Interrupts by ^C, each tested in a separate process.
@Suite struct InterruptsTests {
  @Test func workIsCancelledAndEndsWithWhatItHas() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let status = try await Interrupts.cancelling { () async -> CInt in
        kill(getpid(), SIGINT)
        do { try await Task.sleep(for: .seconds(3600)) } catch { return 7 }
        return 1
      }
      exit(status)
    }
  }

  @Test func theSecondOneEndsTheProgram() async {
    await #expect(processExitsWith: .exitCode(130)) {
      try await Interrupts.cancelling {
        kill(getpid(), SIGTERM)
        // The work ignores its cancellation.
        while !Task.isCancelled { await Task.yield() }
        kill(getpid(), SIGINT)
        while true { await Task.yield() }
      }
    }
  }

  /// A signal that arrives before the program watches for it is not lost, even if signals are blocked.
  @Test func anEarlyOneIsKept() async {
    await #expect(processExitsWith: .exitCode(7)) {
      var set = sigset_t()
      sigemptyset(&set)
      sigaddset(&set, SIGINT)
      pthread_sigmask(SIG_BLOCK, &set, nil)
      pthread_kill(pthread_self(), SIGINT)
      Interrupts.keep()
      let status = try await Interrupts.cancelling { () async -> CInt in
        do { try await Task.sleep(for: .seconds(3600)) } catch { return 7 }
        return 1
      }
      exit(status)
    }
  }

  @Test func whoWaitsLearnsWhichOne() async {
    await #expect(processExitsWith: .exitCode(SIGTERM)) {
      Interrupts.keep()
      kill(getpid(), SIGTERM)
      exit(await Interrupts.wait())
    }
  }

  @Test func workMayLookWhetherOneHasCome() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let watch = Interrupts.Watch()
      let isEarly = watch.isHeard
      kill(getpid(), SIGINT)
      while !watch.isHeard { sched_yield() }
      exit(isEarly ? 1 : 0)
    }
  }

  /// While the program is still starting and does not watch for signals, a second signal ends it.
  @Test func theSecondOneIsNotKept() async {
    await #expect(processExitsWith: .exitCode(130)) {
      Interrupts.keep()
      while true { kill(getpid(), SIGINT) }
    }
  }
}
