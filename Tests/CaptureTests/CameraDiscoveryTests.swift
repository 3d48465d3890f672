import CVideo4Linux
import Glibc
import Imagery
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// Cameras that are plugged in and unplugged, in virtual time.
@Suite struct CameraDiscoveryTests {
  private let clock = VirtualClock()

  private func makeKernel() -> ScriptedKernel {
    ScriptedKernel.camera([ScriptedMode(.nv12, 64, 36, [50])], clock: clock)
  }

  private func message(_ action: String, _ node: String) -> [UInt8] {
    let path = "/devices/pci0000:00/usb1/1-1/1-1:1.0/video4linux/\(node)"
    return [
      "\(action)@\(path)", "ACTION=\(action)", "DEVPATH=\(path)", "SUBSYSTEM=video4linux", "DEVNAME=\(node)",
    ].flatMap { Array($0.utf8) + [0] }
  }

  private func unplug(_ kernel: ScriptedKernel, after delay: Duration) {
    kernel.at((clock.now() + delay).nanoseconds) { [self] in
      $0.unplug()
      $0.show(as: nil)
      $0.send(message("remove", "video0"))
    }
  }

  private func replug(_ kernel: ScriptedKernel, after delay: Duration) {
    kernel.at((clock.now() + delay).nanoseconds) { [self] in
      $0.replug(as: "/dev/video0")
      $0.show(as: "video0")
      $0.send(message("add", "video0"))
    }
  }

  /// Returns the changes that a new watch reports within `time`, with their times.
  /// - Parameter happenings: actions that run on the clock's thread, keyed by their time in milliseconds (a multiple of ten).
  private func changes(
    _ kernel: ScriptedKernel, in time: Duration, at happenings: [Int: () -> Void] = [:]
  ) async throws -> [(kind: CameraDiscovery.Change.Kind, path: String, time: MonotonicTime)] {
    let seen = Locked<[(kind: CameraDiscovery.Change.Kind, path: String, time: MonotonicTime)]>([])
    let isListening = Counter()
    let loop = Task { [clock] in
      isListening.increment()
      for try await change in CameraDiscovery(kernel: kernel, clock: clock) {
        seen.withLock { $0.append((change.kind, change.camera.path, clock.now())) }
      }
    }
    while isListening.value == 0 { await Task.yield() }
    for moment in 0..<Int(time.milliseconds / 10) {
      happenings[moment * 10]?()
      await clock.run(for: .milliseconds(10))
      await Task.yield()
    }
    loop.cancel()
    try await loop.value
    return seen.withLock { $0 }
  }

  @Test func thoseThatAreThereComeFirst() async throws {
    let kernel = makeKernel()
    var iterator = CameraDiscovery(kernel: kernel, clock: clock).makeAsyncIterator()
    let first = try await iterator.next()
    #expect(first?.kind == .arrived && first?.camera.path == "/dev/video0")
    let description = try #require(try first?.camera.description.get())
    #expect(description.name == "Scripted camera" && description.formats.count == 1)
  }

  @Test func aCameraThatIsUnpluggedAndPluggedInHasLeftAndArrived() async throws {
    let kernel = makeKernel()
    unplug(kernel, after: .milliseconds(500))
    replug(kernel, after: .milliseconds(1500))
    let seen = try await changes(kernel, in: .seconds(3))
    #expect(seen.map(\.kind) == [.arrived, .left, .arrived])
    #expect(Set(seen.map(\.path)) == ["/dev/video0"])
    #expect(kernel.leaks.isEmpty, "no descriptor is left when the loop has ended")
  }

  /// The camera is replugged before the watch scans again, so only the kernel's events show the new connection.
  @Test func aQuickReplugIsNotMissed() async throws {
    let kernel = makeKernel()
    unplug(kernel, after: .milliseconds(500))
    replug(kernel, after: .milliseconds(500))
    let seen = try await changes(kernel, in: .seconds(3))
    #expect(seen.map(\.kind) == [.arrived, .left, .arrived])
  }

  /// In containers, netlink is missing or silent.
  @Test(arguments: [true, false]) func withoutEventsItIsLookedFor(hasSocket: Bool) async throws {
    let kernel = makeKernel()
    if !hasSocket { kernel.fail("netlink", .notPermitted) }
    let seen = try await changes(
      kernel, in: .seconds(7),
      at: [
        500: {
          kernel.unplug()
          kernel.show(as: nil)
        },
        4000: {
          kernel.replug(as: "/dev/video0")
          kernel.show(as: "video0")
        },
      ])
    #expect(seen.map(\.kind) == [.arrived, .left, .arrived])
    #expect(kernel.leaks.isEmpty)
  }

  /// udev sets a node's group shortly after the node appears.
  @Test(arguments: [0.3, 60]) func aNodeThatIsNotReadableYetIsWaitedFor(seconds: Double) async throws {
    let kernel = makeKernel()
    kernel.with { $0.isReadable = false }
    kernel.at((clock.now() + .seconds(seconds)).nanoseconds) { $0.with { $0.isReadable = true } }
    let began = clock.now()
    let asked = Task { [clock] in
      var iterator = CameraDiscovery(kernel: kernel, clock: clock).makeAsyncIterator()
      let change = try await iterator.next()
      return (change, clock.now())
    }
    while kernel.log.isEmpty { await Task.yield() }
    let (change, time) = try await clock.run { try await asked.value }
    #expect((time - began).milliseconds <= 2200)
    #expect((try? change?.camera.description.get()) != nil || seconds > 2)
    #expect(change?.kind == .arrived)
  }

  @Test func aNodeThatGivesNoPicturesIsLeftOutAndNotAskedAgain() async throws {
    let kernel = makeKernel()
    kernel.with { $0.capabilities = V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_STREAMING }
    let seen = try await changes(kernel, in: .seconds(10))
    #expect(seen.isEmpty)
    #expect(kernel.log.count { $0 == "open" } == 1)
  }

  /// A slow reader gets the present state, and its queue stays bounded.
  @Test func aSlowLoopIsToldWhatHolds() async throws {
    let kernel = makeKernel()
    let watch = try CameraWatch(kernel: kernel, clock: clock)
    await clock.run(for: .milliseconds(100))
    for _ in 0..<50 {
      unplug(kernel, after: .milliseconds(10))
      replug(kernel, after: .milliseconds(30))
      await clock.run(for: .seconds(3))
    }
    let change = await watch.next()
    #expect(change?.kind == .arrived)
    unplug(kernel, after: .milliseconds(10))
    await clock.run(for: .seconds(3))
    #expect(await watch.next()?.kind == .left)
    await watch.end()
    #expect(kernel.leaks.isEmpty)
  }

  @Test func whatCannotBeWatchedIsAnErrorOfTheFirstElement() async throws {
    let kernel = makeKernel()
    kernel.folders["/dev"] = nil
    var iterator = CameraDiscovery(kernel: kernel, clock: clock).makeAsyncIterator()
    await #expect(throws: CameraError.self) { _ = try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  /// Runs in a separate process. After a hundred watches, cancelled or abandoned, all their threads and wake-up signals are gone.
  @Test func watchesLeaveNothing() async throws {
    await #expect(processExitsWith: .success) {
      alarm(120)
      let before = Resources.now()
      for round in 0..<100 {
        let task = Task {
          for try await _ in CameraDiscovery() where round % 2 == 0 {}
          for try await _ in CameraDiscovery() where round % 2 == 1 { break }
        }
        await Task.yield()
        task.cancel()
        try await task.value
      }
      let patience = ContinuousClock.now + .seconds(60)
      while Resources.now().threads > 0, ContinuousClock.now < patience { await Task.yield() }
      let after = Resources.now()
      print("\(before) \(after)")
      exit(after.threads == 0 && after.signals <= before.signals + 2 ? 0 : 1)
    }
  }
}
