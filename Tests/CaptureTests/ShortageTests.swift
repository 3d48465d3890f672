import CLinux
import Glibc
import Imagery
import Replay
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// The system's resource limits, each tested in a separate process. `start()` fails with what is lacking, and succeeds on the same
/// session when enough is available again.
@Suite struct ShortageTests {
  @Test func withoutAThreadTheSessionDoesNotStart() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      try await Shortage.tryStart {
        Shortage.setThreadStack(bytes: 1 << 46)
      } relieve: {
        Shortage.setThreadStack(bytes: 1 << 20)
      }
    }
    let said = String(decoding: result.standardOutputContent, as: UTF8.self)
    #expect(said.contains("cannot start simulated:64x64@60.0: the process may not start another thread"))
    #expect(said.contains("Resource temporarily unavailable"))
  }

  @Test func withoutADescriptorTheSessionDoesNotStart() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      try await Shortage.tryStart {
        Shortage.setDescriptors(most: 3)
      } relieve: {
        Shortage.setDescriptors(most: 1024)
      }
    }
    let said = String(decoding: result.standardOutputContent, as: UTF8.self)
    #expect(said.contains("cannot start simulated:64x64@60.0: the process may open no more files"))
    #expect(said.contains("Too many open files"))
  }

  @Test func anOutputWithoutAThreadFailsTheSessionUntilThereIsOne() async throws {
    await #expect(processExitsWith: .success) {
      let session = CaptureSession(source: Shortage.source)
      try await session.start()
      await session.waitForPicture()
      Shortage.setThreadStack(bytes: 1 << 46)
      let photos = PhotoOutput()
      await session.add(photos)
      guard case .failed(let error) = await session.state, error.code == .noResources else { exit(2) }
      await #expect(throws: SessionError.self) { try await session.capturePhoto(from: photos) }
      Shortage.setThreadStack(bytes: 1 << 20)
      try await session.start()
      await session.waitForPicture()
      _ = try await session.capturePhoto(from: photos)
      await session.stop()
      exit(0)
    }
  }

  @Test func eachOutputWithoutAThreadSaysSoAndBeginsLater() async throws {
    await #expect(processExitsWith: .success) {
      for output in EveryOutput().all.map(\.output) {
        Shortage.setThreadStack(bytes: 1 << 46)
        #expect(throws: ResourceShortage.self, "\(output)") { try output.begin() }
        Shortage.setThreadStack(bytes: 1 << 20)
        try output.begin()
        output.end()
      }
      #expect(Resources.now().threads == 0)
      exit(0)
    }
  }

  @Test func aCameraWithoutADescriptorIsAnErrorAtFirstAndAResetLater() throws {
    let rig = CameraRig()
    rig.kernel.fail("open", .tooManyFiles)
    let error = #expect(throws: CameraError.self) { try rig.start() }
    #expect(error?.interruption == nil, "start() throws it")
    #expect(
      error?.description
        == "cannot start /dev/video0: this process may open no more files (open: EMFILE); close cameras or files in this process, or raise its limit with `ulimit -n`"
    )
    try rig.start()
    rig.camera.close()
    rig.kernel.fail("open", .fileTableFull)
    let later = #expect(throws: CameraError.self) { try rig.start() }
    #expect(later?.interruption == .deviceReset, "a session that ran goes on by itself")
  }
}

/// Sets limits for the whole process.
private enum Shortage {
  static let source = SimulatedSource(size: PixelSize(width: 64, height: 64))

  /// Starts a session with every output under a limit, prints why that was refused, then lifts the limit and starts the session.
  static func tryStart(_ limit: () -> Void, relieve: () -> Void) async throws {
    let session = CaptureSession(source: source)
    for output in EveryOutput().all { await session.add(output.output) }
    for ask in [session.prewarm, session.start] {
      limit()
      do throws(SessionError) {
        try await ask()
        exit(2)
      } catch {
        relieve()
        print(error)
        guard let failure = error.cameraError, await session.state == .failed(failure) else { exit(3) }
      }
    }
    try await session.prewarm()
    try await session.start()
    await session.waitForPicture()
    await session.stop()
    guard await session.state == .idle, Resources.now().threads == 0 else { exit(4) }
    fflush(nil)
    exit(0)
  }

  /// Sets the default stack size of threads. A size beyond the address space makes `pthread_create` fail with EAGAIN.
  static func setThreadStack(bytes: Int) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    guard pthread_attr_setstacksize(&attributes, bytes) == 0, setDefaultAttributes(&attributes) == 0 else {
      exit(5)
    }
  }

  static func setDescriptors(most: rlim_t) {
    var limit = rlimit(rlim_cur: most, rlim_max: 1024)
    guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(5) }
  }
}

@_silgen_name("pthread_setattr_default_np")
private func setDefaultAttributes(_ attributes: UnsafePointer<pthread_attr_t>) -> CInt

extension CaptureSession {
  fileprivate func waitForPicture() async {
    for await state in states() where state.acceptsPhotos { break }
  }
}
