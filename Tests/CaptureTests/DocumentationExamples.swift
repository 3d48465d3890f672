import Capture
import Imagery
import System
import Video4Linux

// The documentation's examples, compiled but not run. `DocumentationTests` checks that they equal the documentation's.

private func show(_ photo: CapturedPhoto) {}
private func show(_ bytes: [UInt8]) {}
private func say(_ text: String) {}
private func blink() {}

private enum CameraExample {
  final class StillCamera: Camera {
    private let picture: PixelBuffer
    private let clock: any CaptureClock
    private var sequence: UInt32 = 0
    private var format: CameraFormat {
      CameraFormat(image: picture.format, frameInterval: FrameInterval(framesPerSecond: 10))
    }

    init(picture: PixelBuffer, clock: any CaptureClock) {
      (self.picture, self.clock) = (picture, clock)
    }

    func open() throws(CameraError) -> CameraDescription {
      CameraDescription(
        kind: CameraDescription.Kind(rawValue: "still"), name: "Still camera", driver: "still",
        bus: "memory", formats: [format], mount: SensorMount())
    }

    func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat { format }
    func start() throws(CameraError) {}
    func stop() {}
    func close() {}
    func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool { true }

    func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
      let exposure = clock.now()
      let due = exposure + format.frameInterval.duration
      if clock.wait(until: min(due, deadline), wake: wake) { return .woken }
      if due > deadline { return .timedOut }
      sequence += 1
      return .frame(
        CapturedImage(
          image: picture, sequence: sequence, exposureTime: exposure, exposureEdge: .startOfExposure))
    }
  }
}

private func exampleCameraError1(session: CaptureSession) async throws {
  do throws(SessionError) {
    try await session.start()
  } catch {
    if error.cameraError?.code == .busy { print("somebody else has it") }
  }
}

private func exampleCameraDiscovery1() async throws {
  for try await change in CameraDiscovery() {
    switch change.kind {
    case .arrived: print("\(change.camera.name) is at \(change.camera.path)")
    case .left: print("\(change.camera.name) has left")
    }
  }
}

private func exampleConnectedCamera1() async throws {
  for camera in try ConnectedCamera.list() { print(camera.path, camera.name) }
}

private func exampleV4L2Source1() async throws {
  var request = V4L2Request()
  request.size = PixelSize(width: 1280, height: 720)
  let session = CaptureSession(source: V4L2Source(path: "/dev/video0", request: request))
  _ = session
}

private func exampleCapture1() async throws {
  let session = CaptureSession(source: V4L2Source(path: "/dev/video0"))
  let photos = PhotoOutput()
  await session.add(photos)
  try await session.start()
  for await state in await session.states() where state.acceptsPhotos { break }
  let photo = try await session.capturePhoto(from: photos).photo
  await session.stop()
  _ = photo
}

private func exampleCapture2(session: CaptureSession, photos: PhotoOutput) async throws {
  try await session.configure { setup in
    setup.source = V4L2Source(path: "/dev/video2")
    setup.configuration.isPreviewMirrored = false
    setup.remove(photos)
  }
}

private func exampleCapture3(session: CaptureSession) async throws {
  for await interruption in await session.interruptions() where interruption.phase == .began {
    print(interruption.reason.message)
  }
  for await drop in session.drops() {
    print("\(drop.name): \(drop.count) frames, \(drop.reason.rawValue) \(drop.detail)")
  }
}

private func exampleCapture4(session: CaptureSession) async throws {
  do throws(SessionError) {
    try await session.start()
  } catch {
    if error.cameraError?.code == .permissionDenied { print("ask for the group `video`") }
  }
}

private func exampleAnalysisOutput1(session: CaptureSession) async throws {
  let analysis = AnalysisOutput(longSide: 640, framesPerSecond: 10) { picture in
    print(picture.image.format.size, picture.frame.sequence)
  }
  await session.add(analysis)
}

private enum FrameOutputExample {
  final class NewestFrame: FrameOutput {
    let frames: AsyncStream<Frame>
    private let newest: AsyncStream<Frame>.Continuation

    init() {
      (frames, newest) = AsyncStream.makeStream(of: Frame.self, bufferingPolicy: .bufferingNewest(1))
    }

    func receive(_ frame: Frame) { newest.yield(frame) }

    func end() { newest.finish() }
  }
}

private func examplePhotoOutput1(session: CaptureSession) async throws {
  let photos = PhotoOutput()
  await session.add(photos)
  let captured = try await session.capturePhoto(from: photos)
  print(captured.photo.bytes.count, captured.shutterLag)
}

private func exampleDeferredPhoto1(session: CaptureSession, photos: PhotoOutput) async throws {
  let deferred = try await session.captureDeferredPhoto(
    PhotoSettings(longSide: nil, priority: .quality), from: photos)
  show(deferred.proxy.photo.bytes)
  let photo = try await deferred.finished()
  _ = photo
}

private func examplePhotoBurst1(
  session: CaptureSession, photos: PhotoOutput, keep: (CapturedPhoto) -> Void
) async throws {
  for await shot in try await session.captureBurst(of: 10, from: photos) {
    if case .success(let photo) = shot { keep(photo) }
  }
}

private func exampleBracket1(session: CaptureSession, photos: PhotoOutput) async throws {
  let shots = try await session.captureBracket([.bias(-2), .bias(0), .bias(2)], from: photos)
  _ = shots
}

private func examplePreviewOutput1(session: CaptureSession) async throws {
  let surface = OffscreenSurface(size: PixelSize(width: 1280, height: 720))
  let preview = PreviewOutput(surface: surface) { print($0.frame.sequence, $0.presentedTime) }
  await session.add(preview)
}

private func examplePreviewPace1(session: CaptureSession, surface: OffscreenSurface) async throws {
  let pace = PreviewPace()
  let preview = PreviewOutput(surface: surface) { pace.note($0) }
  let overlay = await DebugOverlay(
    format: session.format, controls: session.controls, pace: pace.reading(at: .now()))
  _ = (preview, overlay)
}

private func examplePreviewSurface1(session: CaptureSession) async throws {
  let surface = OffscreenSurface(size: PixelSize(width: 640, height: 360), pixelFormat: .rgba)
  await session.add(PreviewOutput(surface: surface))
  surface.resize(to: PixelSize(width: 360, height: 640))
}

private func exampleRotationCoordinator1(session: CaptureSession) async throws {
  session.rotation.noteAttitude(degrees: 90, at: .now())
  for await angles in session.angles() {
    print("preview \(angles.preview), photos \(angles.capture)")
  }
}

private func exampleMotionTracker1(session: CaptureSession) async throws {
  let motion = try MotionTracker(MotionRequest(), rotation: session.rotation) { print($0) }
  for await state in await session.states() { print(state) }
  motion.end()
}

private func exampleSessionSetup1(
  session: CaptureSession, photos: PhotoOutput, analysis: AnalysisOutput
) async throws {
  try await session.configure { setup in
    setup.source = V4L2Source(path: "/dev/video2")
    setup.configuration.chooseFormat = {
      FormatFinder(size: PixelSize(width: 1920, height: 1080)).best(of: $0)
    }
    setup.remove(analysis)
    setup.add(photos)
  }
}

private func exampleFormatFinder1(configuration: inout SessionConfiguration) async throws {
  configuration.chooseFormat = {
    FormatFinder(size: PixelSize(width: 1920, height: 1080), framesPerSecond: 60).best(of: $0)
  }
}

private func exampleSessionConfiguration1() async throws {
  var configuration = SessionConfiguration()
  configuration.inactivityTimeout = nil
  configuration.chooseFormat = { FormatFinder(size: PixelSize(width: 1920, height: 1080)).best(of: $0) }
  let session = CaptureSession(source: V4L2Source(path: "/dev/video0"), configuration: configuration)
  _ = session
}

private func exampleSessionError1(session: CaptureSession, photos: PhotoOutput) async throws {
  do {
    show(try await session.capturePhoto(from: photos))
  } catch SessionError.Code.captureRefused {
    blink()
  } catch {
    say("\(error)")
  }
}

private func exampleSessionNews1(session: CaptureSession) async throws {
  for await state in await session.states() where state == .running { break }
}

private func exampleVirtualClock1(source: any CameraSource) async throws {
  let clock = VirtualClock()
  let session = CaptureSession(source: source, clock: clock)
  try await session.start()
  await clock.run(for: .seconds(10))
  await session.stop()
}

private func exampleControls1(session: CaptureSession) async {
  for await controls in await session.controlStates() {
    if let iso = controls.values[.iso]?.number { print("ISO \(Int(iso))") }
  }
}

private func exampleControls2(session: CaptureSession) async {
  let results = await session.set([(.iso, .number(400)), (.exposureDuration, .number(0.02))])
  _ = results
}

private func exampleControls3(session: CaptureSession) async {
  let controls = await session.set([(.exposureDuration, .number(0.02)), (.iso, .number(400))])
  for result in controls {
    print("\(result.control): \(result.took?.description ?? result.refusal ?? "later")")
  }
  await session.enableShutterPriority(angle: 180)
  await session.lockFocus(x: 0.5, y: 0.4)
  await session.rampZoom(to: 2, rate: 1)
}

private func exampleExposureBiasDial1(session: CaptureSession) async {
  var dial = ExposureBiasDial(await session.controls.capability(.exposureBias))
  for case .preview(let bias) in dial.drag(to: 0.73, at: .now()) { print(bias) }
  // And when `dial.due` has come:
  for case .commit(let bias) in dial.rest(at: .now()) {
    await session.set(.exposureBias, to: .number(bias))
  }
}

private func exampleLensList1(wide: V4L2Source, tele: V4L2Source, session: CaptureSession) async throws {
  let lenses = LensList([
    LensList.Lens(factor: 1, source: wide), LensList.Lens(factor: 5, source: tele),
  ])
  for choice in lenses.choices { print("\(choice.factor)× \(choice.isCrop ? "software" : "")") }
  if let choice = lenses.choice(for: 2) { try await session.select(choice) }
}
