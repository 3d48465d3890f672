import Imagery
import Replay
import System
import Testing

@testable import Capture

/// The queue between the capture thread and the threads of outputs.
@Suite struct OutputTests {
  /// Blocks a worker until it is opened.
  private final class Gate: Sendable {
    private let isOpen = Locked(false)
    func open() {
      isOpen.withLock { $0 = true }
      isOpen.notify()
    }
    func pass() { _ = isOpen.wait { $0 ? true : nil as Bool? } }
  }

  @Test(arguments: [OutputWorker<Int>.Overflow.replaceOldest, .refuse])
  func aFullWorkerKeepsWhatItShouldAndEndsWithIt(overflow: OutputWorker<Int>.Overflow) throws {
    let (gate, taken, seen) = (Gate(), Gate(), Locked<[Int]>([]))
    let worker = OutputWorker<Int>(name: "test", clock: SystemClock(), capacity: 2, overflow: overflow) {
      item in
      taken.open()
      gate.pass()
      seen.withLock { $0.append(item) }
    }
    #expect(!worker.offer(0), "it has not begun")
    try worker.begin()
    try worker.begin()
    worker.offer(1)
    taken.pass()
    let accepted = (2...5).map { worker.offer($0) }
    let opener = try NamedThread(name: "opener") {
      // Once the worker ends, it accepts no new items, but still processes waiting ones.
      while worker.offer(6) {}
      gate.open()
    }
    if overflow == .refuse { gate.open() }
    worker.end()
    opener.join()
    switch overflow {
    case .replaceOldest:
      #expect(accepted == [true, true, true, true])
      #expect(seen.withLock { $0.first } == 1 && seen.withLock { $0.count } == 3)
    case .refuse:
      #expect(accepted == [true, true, false, false])
      #expect(seen.withLock { $0.prefix(3) } == [1, 2, 3])
    }
  }

  @Test func theNewestTakesThePlaceOfTheOldest() throws {
    let (gate, taken, seen) = (Gate(), Gate(), Locked<[Int]>([]))
    let worker = OutputWorker<Int>(
      name: "test", clock: SystemClock(), capacity: 2, overflow: .replaceOldest
    ) { item in
      taken.open()
      gate.pass()
      seen.withLock { $0.append(item) }
    }
    try worker.begin()
    worker.offer(1)
    taken.pass()
    for item in 2...5 { worker.offer(item) }
    #expect(worker.replacedCount == 2)
    gate.open()
    worker.end()
    #expect(seen.withLock { $0 } == [1, 4, 5])
    #expect(!worker.offer(6))
  }

  /// Limited-range RGB has white at 235. The analysis must get it as 255.
  @Test func limitedRGBIsExpandedForAnalysis() throws {
    let (seen, clock) = (Locked<[UInt8]>([]), SystemClock())
    let output = AnalysisOutput(clock: clock) { picture in
      let pixels = UnsafeRawBufferPointer(start: picture.image.planes[0].base, count: 4)
      seen.withLock { $0 = Array(pixels) }
    }
    let color = ColorDescription(matrix: .bt709, range: .limited)
    let image = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .bgra, size: PixelSize(width: 16, height: 16), color: color))
    for place in 0..<image.planes[0].byteCount {
      image.planes[0].base.storeBytes(of: [16, 126, 235, 0][place % 4], toByteOffset: place, as: UInt8.self)
    }
    try output.begin()
    output.receive(
      Frame(
        image: image, sequence: 0, exposureTime: .now(), exposureEdge: .startOfExposure, arrivalTime: .now(),
        orientation: .upright))
    output.end()
    #expect(seen.withLock { $0 } == [0, 128, 255, 255])
  }

  /// The picture is black with a white middle.
  @Test(arguments: [1.0, 2, 4]) func analysisSeesWhatTheZoomLeaves(zoom: Double) throws {
    let seen = Locked<(size: PixelSize, corner: UInt8, middle: UInt8)?>(nil)
    let output = AnalysisOutput(clock: SystemClock()) { picture in
      let (plane, size) = (picture.image.planes[0], picture.image.format.size)
      let middle = size.height / 2 * plane.bytesPerRow + size.width / 2 * 4
      seen.withLock {
        $0 = (
          size, plane.base.load(as: UInt8.self), plane.base.load(fromByteOffset: middle, as: UInt8.self)
        )
      }
    }
    let color = ColorDescription(matrix: .bt601, range: .full)
    let image = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .grey, size: PixelSize(width: 64, height: 64), color: color))
    let plane = image.planes[0]
    for place in 0..<64 * 64 {
      let isMiddle = (12..<52).contains(place / 64) && (12..<52).contains(place % 64)
      let offset = place / 64 * plane.bytesPerRow + place % 64
      plane.base.storeBytes(of: isMiddle ? 255 : 0, toByteOffset: offset, as: UInt8.self)
    }
    var settings = FrameSettings()
    settings.digitalZoom = zoom
    try output.begin()
    output.receive(
      Frame(
        image: image, sequence: 0, exposureTime: .now(), exposureEdge: .startOfExposure, arrivalTime: .now(),
        orientation: .upright, settings: settings))
    output.end()
    let picture = try #require(seen.withLock { $0 })
    let side = Int(64 / zoom)
    #expect(picture.size == PixelSize(width: side, height: side), "nothing is enlarged")
    #expect(picture.middle == 255 && picture.corner == (zoom > 1 ? 255 : 0))
  }

  private final class Recorder: FrameOutput {
    let frames = Locked<[Frame]>([])
    func receive(_ frame: Frame) { frames.withLock { $0.append(frame) } }
  }

  @Test func aFrameHasTheAngleOfItsExposureNotOfItsArrival() throws {
    func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }
    let router = FrameRouter(rotation: RotationCoordinator())
    let recorder = Recorder()
    router.add(recorder)
    try router.begin()
    router.rotation.noteAttitude(degrees: 0, at: time(0))
    router.rotation.noteAttitude(degrees: 90, at: time(100))
    let format = ImageFormat(
      pixelFormat: .grey, size: PixelSize(width: 8, height: 8),
      color: ColorDescription(matrix: .bt601, range: .full))
    let image = CapturedImage(
      image: try PixelBufferPool().makeBuffer(format), sequence: 1, exposureTime: time(95),
      exposureEdge: .endOfFrame)
    router.deliver(image, arrivalTime: time(105))
    #expect(recorder.frames.withLock { $0.map(\.orientation.capture) } == [.upright])
  }

  private final class Steady: FrameOutput {
    let angleLock: Rotation?
    let orientations = Locked<[FrameOrientation]>([])
    init(_ lock: Rotation?) { angleLock = lock }
    func receive(_ frame: Frame) { orientations.withLock { $0.append(frame.orientation) } }
  }

  /// ROT-4: an output with a locked angle keeps it instead of the coordinator's while the device is turned.
  @Test func everyOutputMayLockItsOwnAngle() throws {
    let router = FrameRouter(rotation: RotationCoordinator())
    let outputs = [nil, Rotation.none, .half].map { Steady($0) }
    for output in outputs { router.add(output) }
    try router.begin()
    router.rotation.setMount(SensorMount(orientation: Orientation(rotation: .clockwise90)))
    router.rotation.lockSurface(to: .clockwise270)
    router.rotation.noteAttitude(degrees: 90, at: MonotonicTime(nanoseconds: 1))
    let format = ImageFormat(
      pixelFormat: .grey, size: PixelSize(width: 8, height: 8),
      color: ColorDescription(matrix: .bt601, range: .full))
    let image = CapturedImage(
      image: try PixelBufferPool().makeBuffer(format), sequence: 1,
      exposureTime: MonotonicTime(nanoseconds: 2), exposureEdge: .endOfFrame)
    router.deliver(image, arrivalTime: MonotonicTime(nanoseconds: 3))
    let seen = outputs.map { output in
      output.orientations.withLock {
        $0.map { [$0.preview.rotation.rawValue, $0.capture.rotation.rawValue] }
      }
    }
    #expect(seen == [[[0, 180]], [[90, 90]], [[270, 270]]])
  }

  @Test func theEnginesOwnOutputsAreLockedWhileTheyRun() async throws {
    let clock = VirtualClock()
    let source = SimulatedSource(
      size: PixelSize(width: 64, height: 64), frameInterval: FrameInterval(framesPerSecond: 50))
    let session = CaptureSession(source: source, clock: clock)
    let (shown, analysed, photos) = (Shown(), Locked<[Rotation]>([]), PhotoOutput(clock: clock))
    let previews = (0..<2).map { _ in
      PreviewOutput(
        surface: OffscreenSurface(size: PixelSize(width: 16, height: 16), clock: clock), clock: clock
      ) { shown.add($0) }
    }
    let analysis = AnalysisOutput(clock: clock) { picture in
      analysed.withLock { $0.append(picture.frame.orientation.capture.rotation) }
    }
    for output in previews { await session.add(output) }
    await session.add(analysis)
    await session.add(photos)
    (previews[1].angleLock, analysis.angleLock, photos.angleLock) = (.clockwise90, .half, .clockwise270)
    try await session.start()
    await clock.run(for: .milliseconds(100))
    let photo = try await clock.run { try await session.capturePhoto(from: photos) }
    await session.stop()
    #expect(Set(shown.all.map(\.frame.orientation.preview.rotation)) == [.none, .clockwise90])
    #expect(Set(analysed.withLock { $0 }) == [.half])
    #expect(photo.frame.orientation.capture.rotation == .clockwise270)
    previews[1].angleLock = nil
    #expect(previews[1].angleLock == nil)
  }

  @Test func zoomIsFromOneToFour() {
    let preview = PreviewOutput(surface: OffscreenSurface(size: PixelSize(width: 8, height: 8)))
    for (asked, given) in [(0.5, 1.0), (2.5, 2.5), (9, 4), (-.infinity, 1)] {
      preview.zoom = asked
      #expect(preview.zoom == given)
    }
  }
}
