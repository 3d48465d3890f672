import Imagery
import System
import Testing

@testable import Capture

/// DBG-1: the overlay's ten fields, as the device reports them, and the engine's latency.
@Suite struct OverlayTests {
  private let format = CameraFormat(
    image: ImageFormat(
      pixelFormat: .nv12, size: PixelSize(width: 1920, height: 1080),
      color: ColorDescription(matrix: .bt709, range: .limited)),
    frameInterval: FrameInterval(framesPerSecond: 25))

  private func time(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  private func rows(_ overlay: DebugOverlay) -> [String] { overlay.rows.map { "\($0.label) \($0.text)" } }

  @Test func everyFieldIsWritten() {
    var controls = ControlsState()
    controls.values = [
      .iso: .number(399.6), .whiteBalanceTemperature: .number(5200), .tint: .number(-3.25),
      .exposureDuration: .number(0.02), .exposureBias: .number(-0.3), .stabilization: .flag(true),
    ]
    let pace = PreviewPace.Reading(framesPerSecond: 24.996, slowest: .microseconds(47_260))
    #expect(
      rows(DebugOverlay(format: format, controls: controls, pace: pace, codec: "HEVC")) == [
        "Resolution 1920×1080", "FPS 25.00", "Codec HEVC", "ISO 400", "WB 5200K", "Tint -3.3",
        "Shutter 1/50 (180.0°)", "EV -0.3", "Stabilization On", "Color BT.709 limited", "Latency 47.3 ms",
      ])
  }

  @Test func whatIsNotKnownIsADash() {
    #expect(DebugOverlay().rows.count == 11)
    #expect(DebugOverlay().rows.allSatisfy { $0.text == "–" })
    #expect(
      rows(DebugOverlay(format: nil, controls: ControlsState(), pace: nil)).allSatisfy { $0.hasSuffix("–") })
  }

  @Test func theBiasOfTheEngineCountsAsBias() {
    var controls = ControlsState()
    controls.digitalExposureBias = 0.5
    #expect(rows(DebugOverlay(format: format, controls: controls, pace: nil)).contains("EV 0.5"))
  }

  @Test(arguments: [(1.0, "1.0 s (9000.0°)"), (1.0 / 8000, "1/8000 (1.1°)"), (0, "–"), (.nan, "–")])
  func shutterTimes(duration: Double, text: String) {
    var controls = ControlsState()
    controls.values = [.exposureDuration: .number(duration)]
    #expect(rows(DebugOverlay(format: format, controls: controls, pace: nil)).contains("Shutter \(text)"))
  }

  @Test func thePaceIsThatOfTheLastSecond() {
    let pace = PreviewPace()
    #expect(pace.reading(at: time(0)) == nil)
    pace.note(shown: time(100), exposed: time(0))
    #expect(pace.reading(at: time(100)) == nil, "one picture has no rate")
    for index in 1...60 {
      pace.note(shown: time(100 + Int64(index) * 40), exposed: time(70 + Int64(index) * 40))
    }
    #expect(
      pace.reading(at: time(2500)) == PreviewPace.Reading(framesPerSecond: 25, slowest: .milliseconds(30)))
    #expect(pace.reading(at: time(3600)) == nil, "a preview that stands still has no rate")
  }
}
