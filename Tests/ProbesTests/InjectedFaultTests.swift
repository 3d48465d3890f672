import Capture
import Imagery
import Replay
import System
import Testing

@testable import Probes

/// The names of faults, and the faults of cameras, tested alone.
@Suite struct InjectedFaultTests {
  @Test(arguments: InjectedFault.names) func everyNameNamesAFault(name: String) throws {
    let name = name.replacing("PERCENT", with: "30").replacing("MILLISECONDS", with: "30")
    #expect(try #require(InjectedFault(name: name)).description == name)
  }

  @Test func nonsenseNamesNone() {
    for name in [
      "", "swap", "slow-preview", "slow-preview=0", "slow-preview=x", "slow-preview=1001", "slow-open",
      "slow-open=0",
      "slow-open=5001", "slow-open=1=2", "delay=1", "slow-photo", "slow-photo=0", "slow-photo=1001",
      "slow-recognition=-1", "slow-recovery=0", "slow-recovery=5001",
    ] {
      #expect(InjectedFault(name: name) == nil)
    }
  }

  /// An injected fault does not change the reference to which starts are compared.
  @Test func aSlowOpeningLeavesTheReferenceAsItIs() async throws {
    for specification in ["simulated:64x64@50", "corpus:shelf-pan"] {
      var rig = Rig(specification: specification, viewfinder: "")
      let sound = try await DeviceStart(rig: rig, bundled: "").samples(count: 3)
      rig.fault = .slowsOpening(milliseconds: 2000)
      #expect(try await DeviceStart(rig: rig, bundled: "").samples(count: 3) == sound)
      #expect(sound == [specification.hasPrefix("corpus") ? 33.333333 : 20])
    }
  }

  @Test func aSlowOpeningTakesItsTime() throws {
    let clock = SteppingClock()
    let camera = FaultyCamera(
      base: try SimulatedSource().makeCamera(clock: clock), fault: .slowsOpening(milliseconds: 2000),
      clock: clock)
    let began = clock.now()
    _ = try camera.open()
    #expect(clock.now() - began == .seconds(2))
    #expect(Rig(fault: .slowsOpening(milliseconds: 2000), viewfinder: "").fault?.opening == .seconds(2))
  }

  /// Opening a camera counts as a recovery only if the camera was open before.
  @Test func aSlowRecoveryTakesItsTimeOnceTheCameraHasBeenOpen() throws {
    let clock = SteppingClock()
    let camera = FaultyCamera(
      base: try SimulatedSource().makeCamera(clock: clock), fault: .slowsRecovery(milliseconds: 30),
      clock: clock)
    let began = clock.now()
    for expected in [0, 30, 60] {
      _ = try camera.open()
      #expect(clock.now() - began == .milliseconds(expected))
      camera.close()
    }
  }

  // MARK: Processor time

  /// A thread's simulated processor time. It advances with the work done, and by a microsecond with each reading.
  private final class Spending: Sendable {
    private let spent = Locked(Duration.zero)
    var burn: ProcessorBurn {
      ProcessorBurn { [spent] in
        spent.withLock { spent in
          spent += .microseconds(1)
          return spent
        }
      }
    }

    func spend(_ time: Duration) { spent.withLock { $0 += time } }
    var total: Duration { spent.withLock { $0 } }
  }

  @Test(arguments: [5, 20, 100, 1000]) func burningTakesItsShareOfTheProcessor(percent: Int) {
    let thread = Spending()
    thread.burn.take(percent, of: .milliseconds(2))
    #expect(thread.total.milliseconds == (2 * Double(percent) / 100) + 0.001)
    thread.burn.take(percent, of: .seconds(100))
    #expect(percent < 100 || (59...61).contains(thread.total.components.seconds), "it has an end")
  }

  @Test func whatIsBurntIsTheThreadsOwnTime() {
    let began = ProcessorTime.ofThread()
    ProcessorBurn().take(100, of: .milliseconds(2))
    #expect(ProcessorTime.ofThread() - began >= .milliseconds(2))
  }

  /// A photo pipeline that uses 10 ms of the thread's processor time.
  private struct Photographer: PhotoProcessing {
    let thread: Spending

    func process(
      _ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings
    ) throws(ImageError) -> Photo {
      thread.spend(.milliseconds(10))
      var photo = try PhotoPipeline().process(image, orientation: orientation, settings: settings)
      photo.timings.processor = .milliseconds(10)
      return photo
    }
  }

  @Test func aSlowPhotoPathTellsWhatItTook() throws {
    let frame = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .nv12, size: PixelSize(width: 64, height: 64), color: .jpeg))
    for plane in frame.planes {
      plane.base.initializeMemory(as: UInt8.self, repeating: 90, count: plane.byteCount)
    }
    let thread = Spending()
    let slow = try SlowPipeline(base: Photographer(thread: thread), percent: 300, burn: thread.burn).process(
      frame, orientation: .upright, settings: PhotoSettings())
    let sound = try PhotoPipeline().process(frame, orientation: .upright, settings: PhotoSettings())
    #expect(slow.bytes == sound.bytes)
    #expect((40...40.1).contains(slow.timings.processor.milliseconds))
    #expect(Rig(fault: .slowsPhotos(percent: 300), viewfinder: "").makePhotoPipeline() is SlowPipeline)
  }

  /// The preview runs on this thread. Only the time between getting a buffer and presenting it counts.
  @Test func aSlowPreviewTakesProcessorTimeBeforeItShows() throws {
    let (thread, size) = (Spending(), PixelSize(width: 64, height: 64))
    let surface = SlowSurface(base: OffscreenSurface(size: size), percent: 200, burn: thread.burn)
    thread.spend(.seconds(1))
    let picture = try #require(surface.makeBuffer())
    thread.spend(.milliseconds(4))
    _ = surface.present(
      picture, frame: Presentation.example(exposure: .now(), presented: .now()).frame)
    #expect((1012...1012.1).contains(thread.total.milliseconds))
    let rig = Rig(fault: .slowsPreview(percent: 200), viewfinder: "")
    #expect(rig.makeSurface(size: size, interval: .zero, clock: SystemClock()) is SlowSurface)
  }
}
