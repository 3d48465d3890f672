import Foundation
import Imagery
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// Photos during other events of a session. Each request gets exactly one answer.
@Suite(.timeLimit(.minutes(5))) struct PhotoTroubleTests {
  private let clock = VirtualClock()
  private let photos: PhotoOutput
  private let kernel: ScriptedKernel

  init() {
    photos = PhotoOutput(clock: clock)
    kernel = ScriptedKernel.camera(
      [ScriptedMode(.nv12, 64, 36, [50]), ScriptedMode(.yuyv, 128, 72, [50])], clock: clock
    ) { $0.bus = "usb-0000:00:14.0-7" }
    kernel.fill(every: 20_000_000)
  }

  private static func format(wide: Bool) -> @Sendable ([CameraFormat]) -> CameraFormat? {
    { formats in formats.first { ($0.image.size.width == 128) == wide } }
  }

  /// Returns a session that has run for 200 ms, with pictures of 64×36.
  private func started(_ others: any FrameOutput...) async throws -> CaptureSession {
    var configuration = SessionConfiguration.patient
    configuration.chooseFormat = Self.format(wide: false)
    let session = CaptureSession(
      source: V4L2Source(path: "/dev/video0", kernel: kernel), configuration: configuration, clock: clock)
    await session.add(photos)
    for output in others { await session.add(output) }
    try await session.start()
    await clock.run(for: .milliseconds(200))
    #expect(await session.state == .running)
    return session
  }

  private func still(of session: CaptureSession) -> Task<StillPhoto, any Error> {
    let photos = photos
    return Task { try await session.captureStill(size: PixelSize(width: 128, height: 72), from: photos) }
  }

  /// PHO-1: the camera is unplugged during a burst.
  @Test func aBurstOfACameraThatIsUnpluggedHasAnAnswerForEachShot() async throws {
    let session = try await started()
    let stream = try await session.captureBurst(of: 20, PhotoSettings(longSide: 16), from: photos)
    kernel.at((clock.now() + .milliseconds(105)).nanoseconds) {
      $0.unplug()
      $0.show(as: nil)
    }
    let shots = try await clock.run { await stream.reduce(into: [PhotoBurst.Shot]()) { $0.append($1) } }
    #expect(shots.count == 20)
    let reasons = shots.compactMap { shot in if case .failure(let error) = shot { error } else { nil } }
    #expect((4...8).contains(shots.count - reasons.count))
    #expect(reasons.allSatisfy { $0 as? SessionError == .captureInterrupted(.deviceDisconnected) })
    await session.stop()
  }

  @Test func whoIsCancelledDoesNotWaitForAStill() async throws {
    let session = try await started()
    let (photos, still) = (photos, still(of: session))
    while await !session.isTakingStill {
      try Task.checkCancellation()
      await Task.yield()
    }
    let press = Task { try await session.capturePhoto(from: photos) }
    while await session.turns.count == 0 {
      try Task.checkCancellation()
      await Task.yield()
    }
    press.cancel()
    await #expect(throws: CancellationError.self) { try await press.value }
    #expect(await session.isTakingStill, "no time has passed")
    let photo = try await clock.run { try await still.value }
    #expect(photo.photo.photo.size.width == 128)
    await session.stop()
  }

  /// A configuration change during a still waits for the still.
  @Test func aChangeOfTheFormatWaitsForAStill() async throws {
    let session = try await started()
    let still = still(of: session)
    while await !session.isTakingStill {
      try Task.checkCancellation()
      await Task.yield()
    }
    let change = Task {
      try await session.configure { $0.configuration.chooseFormat = Self.format(wide: true) }
    }
    let photo = try await clock.run {
      let photo = try await still.value
      try await change.value
      return photo
    }
    #expect(photo.photo.photo.size.width == 128)
    await clock.run(for: .milliseconds(200))
    #expect(await session.format?.image.size.width == 128)
    #expect(await session.state == .running)
    await session.stop()
  }

  @Test func aStillWaitsForABracket() async throws {
    let session = try await started()
    let photos = photos
    let bracket = Task {
      try await session.captureBracket([.bias(-1), .bias(1)], PhotoSettings(longSide: nil), from: photos)
    }
    while await session.bracket == nil {
      try Task.checkCancellation()
      await Task.yield()
    }
    let still = still(of: session)
    let (shots, photo) = try await clock.run { (try await bracket.value, try await still.value) }
    #expect(try shots.map { try $0.result.get().frame.format.size.width } == [64, 64])
    #expect(photo.photo.frame.format.size.width == 128)
    await session.stop()
  }

  /// Before its next frame, every other output learns how many frames it missed. Listeners for drops learn it too.
  @Test func whatAStillKeepsFromOthersIsTold() async throws {
    let witness = Witness()
    let session = try await started(witness)
    let still = still(of: session)
    let interruption = try #require(try await clock.run { try await still.value }.interruption)
    await clock.run(for: .milliseconds(200))
    let events = witness.events.withLock { $0 }
    let places = events.indices.filter { if case .gap = events[$0] { true } else { false } }
    let place = try #require(places.first)
    guard places.count == 1, place + 1 < events.count, case .gap(let gap) = events[place],
      case .frame(let before) = events[place - 1], case .frame(let after) = events[place + 1]
    else {
      Issue.record("\(events)")
      return
    }
    #expect(gap.start == before && gap.end == after)
    #expect(abs((gap.duration - interruption).milliseconds) <= 21)
    #expect(gap.missing == Int((gap.duration.milliseconds / 20).rounded()) - 1 && gap.missing > 2)
    for await drop in session.drops() where drop.reason == .withheld {
      #expect(drop.output == ObjectIdentifier(witness) && drop.count == gap.missing)
      #expect(drop.name == "Witness")
      break
    }
    await session.stop()
  }

  private final class Witness: FrameOutput {
    enum Event {
      case frame(MonotonicTime)
      case gap(StreamGap)
    }

    let events = Locked<[Event]>([])
    func receive(_ frame: Frame) { events.withLock { $0.append(.frame(frame.exposureTime)) } }
    func note(_ gap: StreamGap) { events.withLock { $0.append(.gap(gap)) } }
  }

  /// An output that was removed refuses photos until it is added again.
  @Test func anOutputThatIsAddedAgainTakesPhotosAtOnce() async throws {
    let session = try await started()
    let photos = photos
    await session.remove(photos)
    await session.add(photos)
    let photo = try await clock.run { try await session.capturePhoto(from: photos) }
    #expect(photo.photo.size.width == 64)
    await session.stop()
  }

  /// EXIF has the maker and the model of the camera, and nothing that identifies this camera, this machine or its user.
  @Test func aPhotoSaysNothingPrivate() async throws {
    kernel.files["/sys/devices/usb1/1-1/manufacturer"] = "Example\n"
    let session = try await started()
    let photos = photos
    let bytes = try await clock.run { try await session.capturePhoto(from: photos) }.photo.bytes
    let text = String(decoding: try exif(bytes).map { (32...126).contains($0) ? $0 : 32 }, as: UTF8.self)
    #expect(text.contains("Example") && text.contains("Scripted camera"), "\(text)")
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for secret in [host, NSUserName(), NSHomeDirectory(), "0042", "usb", "0000:00", "/dev", "video0"]
    where secret.count > 2 {
      #expect(!text.contains(secret), "\(secret) in \(text)")
    }
    await session.stop()
  }

  /// Returns the body of the APP1 segment.
  private func exif(_ bytes: [UInt8]) throws -> ArraySlice<UInt8> {
    let at = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("Exif".utf8)) })
    return bytes[at..<at - 2 + (Int(bytes[at - 2]) << 8 | Int(bytes[at - 1]))]
  }

  private func metadata(
    _ frame: FrameSettings, softwareBias: Double = 0, kind: String = "v4l2"
  ) -> PhotoMetadata {
    let camera = CameraDescription(
      kind: CameraDescription.Kind(rawValue: kind), name: "Recorded to anna", driver: "d", bus: "b",
      formats: [], mount: SensorMount(), maker: "Example")
    return PhotoMetadata(
      frame, zoom: 1, softwareBias: softwareBias, camera: camera,
      time: CivilTime(unixNanoseconds: 0, minutesAheadOfUTC: 0))
  }

  /// For a recording, the camera's model would be the file's name, so it is left out.
  @Test func aPhotoOfARecordingNamesNoCamera() {
    let own = metadata(FrameSettings())
    #expect(own.model == "Recorded to anna" && own.make == "Example")
    let recorded = metadata(FrameSettings(), kind: "replay")
    #expect(recorded.model == nil && recorded.make == nil && recorded.time != nil)
  }

  /// The bias in a photo's metadata is the sum of the camera's bias and the engine's brightening.
  @Test func theBiasInAPhotoIsThatOfCameraAndPicture() {
    var frame = FrameSettings()
    #expect(metadata(frame).exposureBias == nil)
    #expect(metadata(frame, softwareBias: 0.5).exposureBias == 0.5)
    frame.exposureBias = -1
    #expect(metadata(frame).exposureBias == -1)
    #expect(metadata(frame, softwareBias: 0.5).exposureBias == -0.5)
  }
}
