import CVideo4Linux
import Imagery
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// A whole session that sets the controls of a scripted V4L2 device, in virtual time.
@Suite struct V4L2OperationTests {
  private let clock = VirtualClock()
  private let frames = FrameRecorder()

  /// The controls of a UVC 1.5 camera in a recent kernel's `uvcvideo`.
  private static let webcam: [ScriptedControl] = [
    .integer(.gain, 0...255, 0), .menu(.autoExposure, [1, 3], 3), .integer(.exposureTime, 3...2047, 250),
    .integer(.focus, 0...250, 100), .flag(.autoFocus, true),
    .region(.regionOfInterest, width: 1920, height: 1080),
    ScriptedControl(.regionOfInterestAutomatics) { ($0.type, $0.range) = (V4L2_CTRL_TYPE_BITMASK, 0...9) },
  ]

  private func running(
    _ controls: [ScriptedControl] = webcam
  ) async throws -> (ScriptedKernel, CaptureSession) {
    let kernel = ScriptedKernel.camera([ScriptedMode(.nv12, 64, 36, [50])], clock: clock) {
      $0.operated = controls
    }
    kernel.fill(every: 20_000_000)
    var configuration = SessionConfiguration()
    configuration.inactivityTimeout = nil
    let session = CaptureSession(
      source: V4L2Source(path: "/dev/video0", kernel: kernel), configuration: configuration, clock: clock)
    await session.add(frames)
    try await session.start()
    await clock.run(for: .milliseconds(300))
    return (kernel, session)
  }

  @Test func aTapLooksAtItsPointAndFocusesContinuouslyAfterwards() async throws {
    let (kernel, session) = try await running()
    let states = await session.controlStates()
    let result = await session.focus(x: 0.5, y: 0.25)
    #expect(result.took == .point(x: 0.5, y: 0.25) && result.note == .exact)
    await clock.run(for: .seconds(1))
    #expect(kernel.with { $0[.autoFocus] } == 1)
    #expect(kernel.with { $0[.regionOfInterestAutomatics] } == 8)
    let region = try #require(kernel.with { $0.rectangle(.regionOfInterest) })
    #expect([region.left, region.top] == [768, 162])
    let touched = kernel.with { Set($0.written.joined()) }
    #expect(touched.isSubset(of: [.autoFocus, .regionOfInterest, .regionOfInterestAutomatics]), "\(touched)")
    await session.stop()
    var seen: [FocusState] = []
    for await state in states where state.focus != seen.last { seen.append(state.focus) }
    #expect(seen == [.continuous, .focusing, .continuous])
    frames.letGo()
    #expect(kernel.leaks.isEmpty)
  }

  /// A region of interest lies within the sensor, so its centre cannot be at the edge.
  @Test func aTapAtTheEdgeSaysWhereTheDeviceLooks() async throws {
    let (_, session) = try await running()
    let result = await session.focus(x: 2, y: 0.5)
    #expect(result.note == .clamped && result.took == .point(x: 0.9, y: 0.5))
    await session.stop()
  }

  /// An unplugged webcam loses all settings.
  @Test func aWebcamThatReturnsIsSetAsItWas() async throws {
    let (kernel, session) = try await running()
    let results = await session.set([(.exposureDuration, .number(0.01)), (.iso, .number(853))])
    #expect(results.allSatisfy { $0.refusal == nil })
    #expect(kernel.with { [$0[.autoExposure], $0[.exposureTime], $0[.gain]] } == [1, 100, 128])
    kernel.unplug()
    kernel.show(as: nil)
    await clock.run(for: .milliseconds(500))
    #expect(await session.set(.lensPosition, to: .number(0.5)).note == .deferred)
    kernel.with { $0.operated = Self.webcam }
    kernel.replug(as: "/dev/video2")
    kernel.show(as: "video2")
    let before = frames.frames.count
    await clock.run(for: .seconds(2))
    #expect(kernel.with { [$0[.autoExposure], $0[.exposureTime], $0[.gain]] } == [1, 100, 128])
    #expect(kernel.with { [$0[.autoFocus], $0[.focus]] } == [0, 125])
    let first = frames.frames.dropFirst(before).map(\.settings).first(where: \.isSettled)
    #expect(try #require(first).exposureDuration == 0.01)
    await session.stop()
    frames.letGo()
    #expect(kernel.leaks.isEmpty)
  }

  /// A device still delivers pictures if all its controls fail.
  @Test(arguments: [Errno.inputOutput, .busy, .outOfRange, .protocolError])
  func controlsThatFailHoldUpNoFrame(errno: Errno) async throws {
    let (kernel, session) = try await running(
      Self.webcam.map { control in
        var control = control
        control.fault = errno
        return control
      })
    let before = frames.frames.count
    let results = await session.set([
      (.iso, .number(400)), (.exposureDuration, .number(0.01)), (.focusPoint, .point(x: 0, y: 0)),
      (.zoom, .number(2)),
    ])
    #expect(results.prefix(2).allSatisfy { $0.refusal?.hasPrefix("cannot set \($0.control): ") == true })
    #expect(results[2].refusal?.hasPrefix("cannot set focus-point: ") == true && results[2].took == nil)
    #expect(results[3].took == .number(2), "done by software")
    #expect(await session.lockExposure().refusal != nil)
    #expect(await session.enableShutterPriority().refusal != nil)
    let controls = await session.controls
    #expect(!controls.isExposureLocked && controls.shutterPriority == nil)
    #expect(controls.wishes.keys.sorted() == [.zoom])
    await clock.run(for: .seconds(1))
    #expect(frames.frames.count - before >= 49)
    #expect(frames.frames.last?.settings.digitalZoom == 2)
    await session.stop()
    frames.letGo()
    #expect(kernel.leaks.isEmpty)
  }
}
