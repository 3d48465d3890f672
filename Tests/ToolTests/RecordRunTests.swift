import Capture
import Console
import Foundation
import Harness
import Imagery
import Recording
import System
import Testing

@testable import swiftwing_tool

/// `record` with a camera that does not fulfil the request.
@Suite struct RecordRunTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "record-\(UUID().uuidString)")

  private func run(
    _ camera: TroubledSource, to name: String, seconds: Double = 4,
    _ settings: RecordingSettings = RecordingSettings(codec: .mjpeg)
  ) async throws -> RecordOutcome {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let run = RecordRun(
      source: camera.specification, path: folder.appending(path: name).path, settings: settings,
      limit: .milliseconds(Int64(seconds * 1000)))
    return try await run.outcome(of: camera)
  }

  /// Returns the program's exit status for an outcome.
  private func status(_ outcome: RecordOutcome) -> Int32 {
    do { try outcome.check() } catch { return Failure.kind(of: error).rawValue }
    return 0
  }

  @Test(arguments: ["film.mp4", "shelf"])
  func aCameraThatIsGoneAtTheEndIsSaid(name: String) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let settings = name == "shelf" ? RecordingSettings() : RecordingSettings(codec: .mjpeg)
    let began = ContinuousClock.now
    let outcome = try await run(TroubledSource(.unplugged(afterFrames: 5)), to: name, settings)
    let passed = (ContinuousClock.now - began) / .seconds(1)
    #expect(outcome.frames == 5 && outcome.gaps == 0 && outcome.end == "stopped")
    #expect(outcome.interruption == "deviceDisconnected")
    // The time from the last picture to the end depends on the machine.
    #expect(outcome.lostAtEnd > 0 && outcome.lostAtEnd < passed)
    #expect(outcome.text.contains(String(format: ", nothing in the last %.1f s", outcome.lostAtEnd)))
    #expect(outcome.reason?.contains("the camera is disconnected") == true)
    #expect(status(outcome) == 4)
  }

  @Test func aCameraThatIsThereIsNotMissed() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let outcome = try await run(TroubledSource(.sound), to: "film.mp4", seconds: 2)
    #expect(outcome.lostAtEnd == 0 && outcome.interruption == nil && outcome.reason == nil)
    #expect(status(outcome) == 0 && !outcome.text.contains("nothing"))
  }

  @Test func aStartThatIsRefusedHasNoResult() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let refusal = await #expect(throws: RecordingError.self) {
      try await run(TroubledSource(.sound), to: "film.mp4", RecordingSettings(codec: .prores))
    }
    #expect(refusal?.code == .settings && refusal?.remedy.contains(".mov") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "film.mp4").path))
  }

  @Test func aCameraThatAnotherProgramUsesIsNamedSo() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let failure = await #expect(throws: Failure.self) {
      try await run(TroubledSource(.busy), to: "film.mp4")
    }
    #expect(failure?.description.contains("the camera is in use by another program") == true)
    #expect(failure?.status.rawValue == 4)
  }
}

/// A camera of grey pictures at 25 a second, with a fault.
private struct TroubledSource: CameraSource {
  enum Trouble: Sendable {
    case sound
    /// The camera is unplugged after this many frames, and does not return.
    case unplugged(afterFrames: UInt32)
    case busy
  }

  static let interval = FrameInterval(framesPerSecond: 25)
  static let format = CameraFormat(
    image: ImageFormat(
      pixelFormat: .nv12, size: PixelSize(width: 64, height: 48),
      color: ColorDescription(matrix: .bt709, range: .limited)), frameInterval: interval)
  let trouble: Trouble
  var specification: String { "troubled" }

  init(_ trouble: Trouble) { self.trouble = trouble }

  func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    TroubledCamera(trouble, clock)
  }
}

private final class TroubledCamera: Camera {
  private let trouble: TroubledSource.Trouble
  private let clock: any CaptureClock
  private let pool = PixelBufferPool()
  private var (sequence, due): (UInt32, MonotonicTime?) = (0, nil)

  init(_ trouble: TroubledSource.Trouble, _ clock: any CaptureClock) {
    (self.trouble, self.clock) = (trouble, clock)
  }

  private var isUnplugged: Bool {
    if case .unplugged(let frames) = trouble { sequence >= frames } else { false }
  }

  func open() throws(CameraError) -> CameraDescription {
    if isUnplugged { throw .disconnected("troubled") }
    return CameraDescription(
      kind: CameraDescription.Kind(rawValue: "test"), name: "troubled", driver: "test", bus: "",
      formats: [TroubledSource.format], mount: SensorMount())
  }

  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat { format }

  func start() throws(CameraError) {
    if case .busy = trouble { throw .busy("troubled") }
    due = clock.now() + TroubledSource.interval.duration
  }
  func stop() {}
  func close() {}

  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool {
    !clock.wait(until: clock.now() + .milliseconds(20), wake: wake)
  }

  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
    guard let due else { return .ended }
    if isUnplugged { throw .disconnected("troubled") }
    if clock.wait(until: min(due, deadline), wake: wake) { return .woken }
    if due > deadline { return .timedOut }
    sequence += 1
    self.due = due + TroubledSource.interval.duration
    let image: PixelBuffer
    do throws(ImageError) { image = try pool.makeBuffer(TroubledSource.format.image) } catch { return .ended }
    for plane in image.planes {
      plane.base.initializeMemory(as: UInt8.self, repeating: 90, count: plane.byteCount)
    }
    return .frame(
      CapturedImage(
        image: image, sequence: sequence,
        exposureTime: due.advanced(by: .zero - TroubledSource.interval.duration),
        exposureEdge: .startOfExposure))
  }
}
