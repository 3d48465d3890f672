import Foundation
import Glibc
import System
import Testing

@testable import HTTPService
@testable import TalariaServer

@Suite struct AcceptLoopTests {
  /// In a process that may not open more files, `accept` fails at once, and the client stays in the listener's queue.
  @Test func clientWithoutADescriptorIsToldAndTheNextIsServed() async {
    await #expect(processExitsWith: .success) {
      // The server's clock runs at a sixty-fourth of real time, so a refused client has 6.4 seconds for its request instead of 0.1.
      let slowly: @Sendable () -> Double = { ProcessInfo.processInfo.systemUptime / 64 }
      let server = try TalariaServer(limits: ServerLimitTests.patient, clock: slowly) { _ in [] }
      var sockets = (0..<16).map { _ in socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0) }
      // The limit leaves one descriptor for the client's side; all others are taken.
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let most = limit.rlim_cur
      limit.rlim_cur = rlim_t(dup(0))
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      func takeAll() { while open("/dev/null", O_RDONLY) >= 0 {} }
      takeAll()
      // Clients are kept, so that the next connection cannot use their descriptors.
      var clients: [RawClient] = []
      var refused = 0
      while refused < 3 {
        guard sockets.count > 1 else { exit(6) }
        let client = RawClient(port: server.port, socket: sockets.removeLast())
        clients.append(client)
        client.send(ServerLimitTests.hello + "Connection: close\r\n\r\n")
        let answer = client.rest()
        client.hangUp()
        if answer.text.hasPrefix("HTTP/1.1 404 ") {
          // The connection was accepted with a descriptor that a starting thread had for a moment. Wait until
          // that descriptor is free, and take it.
          while case let one = open("/dev/null", O_RDONLY), one < 0 { sched_yield() }
          takeAll()
          continue
        }
        guard answer.text.hasPrefix("HTTP/1.1 503 "), answer.text.contains("Retry-After: 5") else { exit(2) }
        guard answer.isClosed else { exit(3) }
        refused += 1
      }
      guard server.statistics.refused == 3 else { exit(4) }
      limit.rlim_cur = most
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let client = RawClient(port: server.port, socket: sockets.removeLast())
      client.send(ServerLimitTests.hello + "\r\n")
      guard client.head().hasPrefix("HTTP/1.1 404 ") else { exit(5) }
      exit(0)
    }
  }

  /// If a system resource is lacking, the loop waits. Only closing the listener ends the loop.
  @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM, EPROTO, ENETDOWN, EPERM])
  func shortageIsWaitedForAndDoesNotSpin(reason: CInt) {
    let (accepts, pauses, waits) = (Locked(0), Locked(0), Locked(0))
    var calls = ListenerCalls()
    calls.wait = { _ in waits.withLock { $0 += 1 } }
    calls.pause = { pauses.withLock { $0 += 1 } }
    calls.accept = { _ in
      (
        -1,
        accepts.withLock {
          $0 += 1
          return $0
        } < 20 ? reason : EINVAL
      )
    }
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    AcceptLoop(listener: listener, calls: calls).run { _ in
      true
    } refuse: { _ in
    }
    let tries = reason == EMFILE || reason == ENFILE ? 10 : 19
    #expect(pauses.withLock { $0 } >= tries - 1, "a pause for each failure")
    #expect(waits.withLock { $0 } >= tries)
  }

  @Test func interruptedAcceptGoesOnAtOnce() {
    let (reasons, pauses) = (Locked([EINTR, ECONNABORTED, EINVAL]), Locked(0))
    var calls = ListenerCalls()
    calls.wait = { _ in }
    calls.pause = { pauses.withLock { $0 += 1 } }
    calls.accept = { _ in (-1, reasons.withLock { $0.removeFirst() }) }
    AcceptLoop(listener: socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0), calls: calls)
      .run { _ in
        true
      } refuse: { _ in
      }
    #expect(pauses.withLock { $0 } == 0 && reasons.withLock { $0.isEmpty })
  }
}
