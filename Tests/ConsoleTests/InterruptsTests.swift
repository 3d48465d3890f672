import Foundation
import Glibc
import Testing

@testable import Console

/// Interrupts by ^C, each tested in a process of its own.
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
        // Ignores cancellation.
        while !Task.isCancelled { await Task.yield() }
        kill(getpid(), SIGINT)
        while true { await Task.yield() }
      }
    }
  }

  /// A signal that arrives before anybody watches, even while signals are blocked, is not lost.
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

  /// During a long start, when nobody watches yet, a second signal ends the program.
  @Test func theSecondOneIsNotKept() async {
    await #expect(processExitsWith: .exitCode(130)) {
      Interrupts.keep()
      while true { kill(getpid(), SIGINT) }
    }
  }
}
