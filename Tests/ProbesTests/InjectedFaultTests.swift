import Capture
import Imagery
import Replay
import Testing

@testable import Probes

/// Faults by name, and those of the camera by themselves.
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

  /// What starts are held against does not follow the engine.
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

  /// Only a camera that has been open before comes back.
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

  /// Beside any load: only this thread's time is looked at.
  @Test(arguments: [5, 20, 100, 1000]) func burningTakesItsShareOfTheProcessor(percent: Int) {
    let began = ProcessorTime.ofThread()
    ProcessorBurn.take(percent, of: .milliseconds(2))
    let taken = (ProcessorTime.ofThread() - began).milliseconds
    let expected = 2 * Double(percent) / 100
    #expect(taken >= expected && taken < expected + 1)
  }

  @Test func aSlowPhotoPathTellsWhatItTook() throws {
    let pool = PixelBufferPool()
    let frame = try pool.makeBuffer(
      ImageFormat(pixelFormat: .nv12, size: PixelSize(width: 1280, height: 720), color: .jpeg))
    for plane in frame.planes {
      plane.base.initializeMemory(as: UInt8.self, repeating: 90, count: plane.byteCount)
    }
    let pipeline = Rig(fault: .slowsPhotos(percent: 300), viewfinder: "").makePhotoPipeline()
    let sound = PhotoPipeline()
    // By turns, so that whatever the machine does happens to both; the first of each warms its memory.
    let ratios = try (0..<9).map { _ in
      let (slow, quick) = (
        try pipeline.process(frame, orientation: .upright, settings: PhotoSettings()),
        try sound.process(frame, orientation: .upright, settings: PhotoSettings())
      )
      #expect(slow.bytes == quick.bytes)
      return slow.timings.processor / quick.timings.processor
    }
    #expect((3...5).contains(ratios.sorted()[4]))
  }

  /// The preview's thread is this one: nothing but the time between memory and showing counts.
  @Test func aSlowPreviewTakesProcessorTimeBeforeItShows() throws {
    let surface = SlowSurface(base: OffscreenSurface(size: PixelSize(width: 64, height: 64)), percent: 200)
    let picture = try #require(surface.makeBuffer())
    let began = ProcessorTime.ofThread()
    ProcessorBurn.take(100, of: .milliseconds(4))
    _ = surface.present(
      picture, frame: Presentation.example(exposure: .now(), presented: .now()).frame)
    let taken = (ProcessorTime.ofThread() - began).milliseconds
    #expect(taken >= 12 && taken < 16)
  }
}
