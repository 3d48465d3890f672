import Capture
import Glibc
import Imagery
import System
import Testing
import Video4Linux

@testable import Display

private let small = PixelSize(width: 64, height: 48)

@Suite struct KernelDriverTests {
  /// A pipe stands in for the card. The signals are those of a profiler, which no call to `poll` outlasts.
  @Test func signalsDoNotEndTheWaitForAFlip() throws {
    var name = Array("/tmp/swiftwing-display-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&name).map { String(cString: $0) })
    let path = folder + "/card"
    #expect(mkfifo(path, 0o600) == 0)
    let (driver, writer) = (try KernelDisplayDriver(path: path), open(path, O_RDWR | O_CLOEXEC))
    defer {
      close(writer)
      unlink(path)
      rmdir(folder)
    }
    signal(SIGUSR1) { _ in }
    // Threads of tasks block all signals.
    var (taken, before) = (sigset_t(), sigset_t())
    sigemptyset(&taken)
    sigaddset(&taken, SIGUSR1)
    pthread_sigmask(SIG_UNBLOCK, &taken, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let waiter = pthread_self()
    let sender = try NamedThread(name: "signals") {
      for _ in 0..<5 {
        usleep(20_000)
        pthread_kill(waiter, SIGUSR1)
      }
      // A `struct drm_event_vblank`: type and length, token, time, number and CRTC.
      let event: [UInt32] = [2, 32, 7, 0, 1, 500, 9, 0]
      _ = write(writer, event, 32)
    }
    let flips = try driver.flips(within: 10_000)
    sender.join()
    #expect(flips.map(\.token) == [7])
    #expect(try driver.flips(within: 10).isEmpty)
  }
}

@Suite struct ModeChoiceTests {
  private let large = PixelSize(width: 128, height: 96)

  @Test func theDisplaysOwnWishComesFirst() {
    let modes = [
      DisplayMode(size: large, refreshRate: 75), DisplayMode(size: small, refreshRate: 60, isPreferred: true),
    ]
    #expect(DisplayMode.choose(from: modes, size: nil)?.size == small)
  }

  @Test func withoutAWishTheLargestAndFastest() {
    let modes = [
      DisplayMode(size: small, refreshRate: 120), DisplayMode(size: large, refreshRate: 50),
      DisplayMode(size: large, refreshRate: 60),
    ]
    #expect(DisplayMode.choose(from: modes, size: nil)?.description == "128×96@60.0")
  }

  @Test func aSizeIsMetExactlyOrNotAtAll() {
    let modes = [DisplayMode(size: small, refreshRate: 60), DisplayMode(size: small, refreshRate: 75)]
    #expect(DisplayMode.choose(from: modes, size: small).map { Int($0.refreshRate.rounded()) } == 75)
    #expect(DisplayMode.choose(from: modes, size: large) == nil)
  }

  @Test func interlacedOnesAndOnesWithoutTimingsAreLeft() {
    let modes = [
      DisplayMode(size: large, refreshRate: 60, isPreferred: true, isInterlaced: true),
      DisplayMode(size: large, refreshRate: 0, isPreferred: true),
    ]
    #expect(DisplayMode.choose(from: modes, size: nil) == nil)
  }
}

@Suite struct FlipRecordTests {
  private let interval = Duration.nanoseconds(16_666_667)

  private func flip(_ requested: Int64, _ shown: Int64, _ sequence: UInt32) -> Flip {
    Flip(
      requestTime: MonotonicTime(nanoseconds: requested), vblankTime: MonotonicTime(nanoseconds: shown),
      sequence: sequence)
  }

  @Test func aFlipAtTheNextVblankMissesNone() {
    var record = FlipRecord(refreshInterval: interval)
    record.note(flip(0, 16_666_667, 1))
    // The time stamp of a vblank has whole microseconds.
    record.note(flip(16_666_667, 33_334_000, 2))
    #expect((record.flips, record.missed, record.repeated) == (2, 0, 0))
    #expect(record.longestWait == .nanoseconds(16_667_333))
  }

  @Test func whatGoesByWhileAPictureIsReadyIsMissed() {
    var record = FlipRecord(refreshInterval: interval)
    record.note(flip(0, 40_000_000, 5))
    #expect(record.missed == 2)
  }

  @Test func aSlowCameraRepeatsAndMissesNothing() {
    var record = FlipRecord(refreshInterval: interval)
    record.note(flip(0, 10_000_000, .max))
    record.note(flip(33_000_000, 43_000_000, 1))
    #expect((record.missed, record.repeated) == (0, 1))
  }
}

@Suite struct DisplaySurfaceTests {
  private func surface(
    _ display: PlayedDisplay, onFailure: @escaping @Sendable (DisplayError) -> Void = { _ in }
  ) throws -> DisplaySurface {
    try DisplaySurface(DisplayScreen(driver: display, size: nil), onFailure: onFailure)
  }

  private func error(_ play: PlayedDisplay.Play, size: PixelSize? = nil) -> DisplayError? {
    do {
      _ = try DisplayScreen(driver: PlayedDisplay(play), size: size)
      return nil
    } catch { return error }
  }

  @Test func picturesAreShownAtTheVblankThatTheKernelStamped() throws {
    var play = PlayedDisplay.Play()
    play.vblanks = [(1_000_000, 3), (17_667_000, 4)]
    let display = PlayedDisplay(play)
    let surface = try surface(display)
    for time in [1_000_000, 17_667_000] as [Int64] {
      let picture = try #require(surface.makeBuffer())
      #expect(picture.format.size == small)
      #expect(surface.show(picture)?.vblankTime == MonotonicTime(nanoseconds: time))
    }
    #expect(surface.record.flips == 2)
    #expect(surface.lastFlip?.sequence == 4)
    // The second picture is drawn into another buffer than the one on screen.
    let flipped = display.seen.withLock { $0.flipped }
    #expect(Set(flipped).count == 2 && !flipped.contains(101 + UInt32(ScanoutPictures.count)))
  }

  @Test func whatIsShownOrHeldIsNotDrawnInto() throws {
    var play = PlayedDisplay.Play()
    play.vblanks = [(1_000_000, 3)]
    let surface = try surface(PlayedDisplay(play))
    let first = try #require(surface.makeBuffer())
    let second = try #require(surface.makeBuffer())
    #expect(first.planes[0].base != second.planes[0].base)
    #expect(surface.makeBuffer() == nil)
    withExtendedLifetime((first, second)) {}
  }

  /// Passes a camera's picture to the surface, as a session does.
  private func present(_ camera: PlayedCamera, _ buffer: Int, on surface: DisplaySurface) -> MonotonicTime? {
    let image = camera.picture(buffer)
    let time = MonotonicTime(nanoseconds: 0)
    let frame = Frame(
      image: image, sequence: 0, exposureTime: time, exposureEdge: .startOfExposure, arrivalTime: time,
      orientation: .upright)
    return surface.presentUndrawn(image, frame: FrameFacts(frame))
  }

  @Test func aCamerasMemoryIsShownUndrawnAndKeptAsLongAsItIsShown() throws {
    var play = PlayedDisplay.Play()
    play.vblanks = [(1_000_000, 3)]
    let (display, camera) = (PlayedDisplay(play), PlayedCamera())
    let surface = try surface(display)
    #expect(present(camera, 0, on: surface) == MonotonicTime(nanoseconds: 1_000_000))
    #expect(camera.returned.isEmpty)
    #expect(present(camera, 1, on: surface) != nil)
    #expect(camera.returned == [0])
    // A drawn picture replaces the camera's buffer on screen. All three buffers of the display were free.
    let picture = try #require(surface.makeBuffer())
    #expect(surface.show(picture) != nil)
    #expect(camera.returned == [0, 1])
    #expect(present(camera, 0, on: surface) != nil)
    #expect((surface.undrawn, surface.record.flips) == (3, 4))
    display.seen.withLock { seen in
      // Each buffer of the camera has one framebuffer.
      #expect(seen.flipped == [2000, 2001, seen.flipped[2], 2000] && seen.flipped[2] < 200)
      #expect(seen.layouts[2001] == ScanoutLayout(width: 64, height: 48, bytesPerRow: 256, offset: 128))
    }
    surface.close()
    #expect(camera.returned == [0, 1, 0])
    #expect(display.seen.withLock { $0.framebuffers.isEmpty && $0.handles.isEmpty })
  }

  @Test func whatTheCardDoesNotTakeIsDrawn() throws {
    for isImport in [true, false] {
      var play = PlayedDisplay.Play()
      play.vblanks = [(1_000_000, 3)]
      if isImport { play.importError = .notSupported } else { play.framebufferError = .invalidArgument }
      let (display, camera) = (PlayedDisplay(play), PlayedCamera())
      let surface = try surface(display)
      for buffer in 0..<3 { #expect(present(camera, buffer, on: surface) == nil) }
      // The surface tries the import only once, and keeps no picture.
      #expect(camera.shares == 1 && camera.returned == [0, 1, 2])
      #expect(display.seen.withLock { $0.flipped.isEmpty && $0.handles.isEmpty })
      #expect(surface.makeBuffer() != nil)
    }
  }

  /// Some cards refuse the shared memory only at the flip.
  @Test func whatTheFlipRefusesIsDrawnToo() throws {
    var play = PlayedDisplay.Play()
    (play.vblanks, play.scanoutError) = ([(1_000_000, 3)], .invalidArgument)
    let (display, camera) = (PlayedDisplay(play), PlayedCamera())
    let told = Locked(0)
    let surface = try surface(display) { _ in told.withLock { $0 += 1 } }
    for buffer in 0..<2 { #expect(present(camera, buffer, on: surface) == nil) }
    #expect(camera.shares == 1 && camera.returned == [0, 1])
    #expect(surface.show(try #require(surface.makeBuffer())) != nil)
    #expect(told.withLock { $0 } == 0)
  }

  @Test(arguments: [
    PlayedCamera(pixelFormat: .rgba), PlayedCamera(size: PixelSize(width: 48, height: 48)),
    PlayedCamera(isShared: false),
  ])
  func anotherFormatOrSizeIsDrawn(camera: PlayedCamera) throws {
    let surface = try surface(PlayedDisplay())
    #expect(present(camera, 0, on: surface) == nil)
    #expect(camera.returned == [0])
  }

  /// A reopened camera has other buffers. The surface releases the former ones, except the one on screen.
  @Test func buffersOfCamerasBeforeAreForgotten() throws {
    var play = PlayedDisplay.Play()
    play.vblanks = [(1_000_000, 3)]
    let (display, camera) = (PlayedDisplay(play), PlayedCamera())
    let surface = try surface(display)
    for buffer in 0..<100 { #expect(present(camera, buffer, on: surface) != nil) }
    display.seen.withLock { seen in
      #expect(seen.framebuffers.count <= SharedPictures.most + 1)
      #expect(seen.framebuffers.contains(2099) && seen.handles.count == seen.framebuffers.count)
    }
    surface.close()
    #expect(display.seen.withLock { $0.framebuffers.isEmpty && $0.handles.isEmpty })
  }

  @Test func theEndShowsWhatWasThereBefore() throws {
    let display = PlayedDisplay()
    var surface: DisplaySurface? = try surface(display)
    let held = surface?.makeBuffer()
    surface?.close()
    surface?.close()
    surface = nil
    display.seen.withLock { seen in
      #expect(seen.shown.map(\.framebuffer) == [101, 7])
      #expect(seen.shown.allSatisfy { $0.crtc == 32 })
      #expect(seen.masters == 0)
      // A picture is still held, so the display's memory is not released.
      #expect(seen.released == 0)
    }
    withExtendedLifetime(held) {}
  }

  @Test func memoryGoesWithTheLastPicture() throws {
    let display = PlayedDisplay()
    do {
      let surface = try surface(display)
      _ = surface.makeBuffer()
    }
    #expect(display.seen.withLock { $0.released } == ScanoutPictures.count)
  }

  @Test func rowsThatAreTooShortAreRefused() {
    var play = PlayedDisplay.Play()
    play.shortRows = true
    let display = PlayedDisplay(play)
    #expect(throws: DisplayError.self) { try self.surface(display) }
    #expect(display.seen.withLock { $0.released == $0.buffers && $0.masters == 0 })
  }

  @Test func aDisplayThatFallsSilentIsToldOnce() throws {
    var play = PlayedDisplay.Play()
    (play.tellsFlips, play.vblanks) = (false, [(0, 0)])
    let told = Locked<[DisplayError]>([])
    let surface = try surface(PlayedDisplay(play)) { error in told.withLock { $0.append(error) } }
    let picture = try #require(surface.makeBuffer())
    #expect(surface.show(picture) == nil)
    #expect(surface.show(picture) == nil)
    #expect(surface.makeBuffer() == nil)
    #expect(told.withLock { $0.map(\.code) } == [.failed])
    #expect(told.withLock { $0.first?.description.contains("no vblank for a second") } == true)
  }

  @Test func anotherProgramsFlipIsToldAsSuch() throws {
    var play = PlayedDisplay.Play()
    play.flipError = .accessDenied
    let told = Locked<[DisplayError]>([])
    let surface = try surface(PlayedDisplay(play)) { error in told.withLock { $0.append(error) } }
    #expect(surface.show(try #require(surface.makeBuffer())) == nil)
    #expect(told.withLock { $0.map(\.code) } == [.accessDenied])
  }

  @Test func eachReasonHasItsSentence() {
    var play = PlayedDisplay.Play()
    play.masterError = .busy
    #expect(error(play)?.code == .inUse)
    play = .init()
    play.isConnected = false
    #expect(
      error(play)?.description
        == "nothing is plugged into /dev/dri/card9; plug a display in, or use another card")
    play = .init()
    play.abilities.stampsMonotonic = false
    #expect(error(play)?.code == .cannotShow)
    play = .init()
    play.encoder.possibleCRTCs = 0b100
    #expect(error(play)?.code == .cannotShow)
    #expect(
      error(.init(), size: PixelSize(width: 9, height: 9))?.description.contains("no mode of 9×9") == true)
    #expect(error(.init()) == nil)
  }

  @Test func aCardThatIsNotThere() {
    do {
      _ = try DisplayScreen(path: "/nonexistent/card0")
      Issue.record("it opened")
    } catch {
      #expect(error.code == .noCard)
    }
  }
}
