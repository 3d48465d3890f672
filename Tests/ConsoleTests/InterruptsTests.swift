import Foundation
import Glibc
import Testing

@testable import Console

/// ^C, each time in a process of its own.
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
        // Deaf to being cancelled.
        while !Task.isCancelled { await Task.yield() }
        kill(getpid(), SIGINT)
        while true { await Task.yield() }
      }
    }
  }

  /// One that came before anybody was watching, also while signals were blocked, is not lost.
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

  /// While nobody watches yet, such as during a long start, a second one ends the program.
  @Test func theSecondOneIsNotKept() async {
    await #expect(processExitsWith: .exitCode(130)) {
      Interrupts.keep()
      while true { kill(getpid(), SIGINT) }
    }
  }
}
