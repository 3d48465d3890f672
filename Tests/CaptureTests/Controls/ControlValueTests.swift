import Foundation
import Imagery
import System
import Testing

@testable import Capture

/// The value types of the control model, each tested alone.
@Suite struct ControlValueTests {
  private let time = MonotonicTime(nanoseconds: 1_000_000_000)

  // MARK: Fitting

  @Test func aNumberIsClampedAndTakenToTheStep() {
    let capability = CameraControlCapability(.exposureDuration, 0.0001...0.5, step: 0.0001, unit: .seconds)
    #expect(capability.fitted(.number(0.02)).note == .exact)
    #expect(capability.fitted(.number(9)) == FittedValue(value: .number(0.5), note: .clamped))
    let rounded = capability.fitted(.number(1.0 / 48))
    #expect(rounded.note == .rounded)
    #expect(abs((rounded.value?.number ?? 0) - 0.0208) < 1e-9)
    #expect(capability.fitted(.number(.nan)).refusal != nil)
    #expect(capability.fitted(.choice("auto")).refusal != nil)
  }

  @Test func aMenuOfNumbersTakesTheNearest() {
    var capability = CameraControlCapability(.iso)
    (capability.values, capability.range) = ([100, 200, 400], 100...400)
    #expect(capability.fitted(.number(190)) == FittedValue(value: .number(200), note: .rounded))
    #expect(capability.fitted(.number(1000)) == FittedValue(value: .number(400), note: .clamped))
  }

  @Test func whatIsNotThereSaysWhy() {
    let absent = CameraControlCapability(.torch, absence: "the device has no control for it")
    #expect(absent.fitted(.number(1)).refusal == "cannot set torch: the device has no control for it")
    let choice = CameraControlCapability(.focusMode, choices: ["continuous", "locked"])
    #expect(choice.fitted(.choice("single")).refusal?.hasSuffix("choose one of continuous, locked") == true)
  }

  @Test func valuesAreTheSameInJSONAndBack() throws {
    let values: [CameraControl: CameraControlValue] = [
      .iso: .number(400), .exposureMode: .choice("auto"), .focusPoint: .point(x: 0.25, y: 0.75),
      .stabilization: .flag(true), .exposureBias: .number(-0.3),
    ]
    let json = try JSONEncoder().encode(values)
    #expect(try JSONDecoder().decode([CameraControl: CameraControlValue].self, from: json) == values)
    #expect(String(decoding: json, as: UTF8.self).contains("\"iso\":400"))
  }

  // MARK: Shutter angle

  @Test(arguments: [
    (180.0, 24, 48.0), (180, 25, 50), (180, 30, 60), (180, 60, 120), (360, 24, 24), (1.1, 24, 7854.545),
  ])
  func anAngleIsAPartOfTheInterval(angle: Double, rate: Int, inverse: Double) throws {
    let duration = try #require(ShutterAngle(degrees: angle).duration(frameInterval: 1 / Double(rate)))
    #expect(abs(1 / duration - inverse) < 0.01)
  }

  @Test func anglesAreHeldToWhatShuttersHave() {
    #expect(ShutterAngle(degrees: 0.5).degrees == 1.1)
    #expect(ShutterAngle(degrees: 400).degrees == 360)
    #expect(ShutterAngle(degrees: 180).duration(frameInterval: 0) == nil)
    #expect(ShutterAngle(degrees: 180).label(frameInterval: 1.0 / 24) == "1/48 s (180°)")
    #expect(ShutterAngle.available(0.001...0.05, frameInterval: 1.0 / 24).last == 17.3)
  }

  // MARK: Bias

  @Test func theDialHasTenthsAndBeginsAtZero() {
    let dial = ExposureBiasDial()
    #expect(dial.value == 0)
    #expect(dial.ticks.count == 41 && dial.ticks.first == -2 && dial.ticks.last == 2)
    #expect(dial.ticks.contains(0.3), "as a person writes it")
    var menu = CameraControlCapability(.exposureBias)
    menu.values = [-1, -0.5, 0, 0.5, 1]
    #expect(ExposureBiasDial(menu).ticks == [-1, -0.5, 0, 0.5, 1])
  }

  @Test func aFlingNeverLeavesTheRangeAndCommitsOnce() {
    var dial = ExposureBiasDial()
    var events: [ExposureBiasDial.Event] = []
    for step in 0...40 {
      events += dial.drag(to: Double(step) * 0.1, at: time + .milliseconds(10 * step))
    }
    let ticks = events.compactMap { if case .tick(let tick) = $0 { tick } else { nil } }
    #expect(
      ticks == ticks.sorted() && ticks.last == 2 && ticks.count == 20, "one for each tick, never beyond")
    let previews = events.count { if case .preview = $0 { true } else { false } }
    #expect(previews <= 5, "400 ms at ten a second")
    #expect(dial.rest(at: time + .milliseconds(400 + 149)).isEmpty)
    #expect(dial.rest(at: time + .milliseconds(400 + 150)) == [.commit(2)])
    #expect(dial.rest(at: time + .seconds(9)).isEmpty)
  }

  @Test func withoutAChangeNothingIsCommitted() {
    var dial = ExposureBiasDial()
    #expect(!dial.drag(to: 0.5, at: time).isEmpty)
    _ = dial.drag(to: 0, at: time + .milliseconds(50))
    #expect(dial.rest(at: time + .seconds(1)).isEmpty)
    dial.follow(1)
    #expect(dial.value == 1 && dial.rest(at: time + .seconds(2)).isEmpty)
  }

  // MARK: Ramps, torch, dynamic range

  @Test(arguments: [(1.0, 4.0, 2.0, 1000.0), (4, 1, 1, 2000), (1, 2, 30, 33.333)])
  func aRampKeepsItsRateAndEndsOnItsTarget(start: Double, target: Double, rate: Double, milliseconds: Double)
  {
    let ramp = ZoomRamp(from: start, to: target, rate: rate, at: time)
    #expect(abs(ramp.duration.milliseconds - milliseconds) < 0.01)
    let trace = (0...100).map { ramp.factor(at: time + ramp.duration * $0 / 100) }
    #expect(trace == (target > start ? trace.sorted() : trace.sorted(by: >)))
    #expect(trace.first == start && ramp.factor(at: ramp.end) == target)
    let half = ramp.factor(at: time + ramp.duration / 2)
    #expect(abs(half - (start * target).squareRoot()) < 0.001, "the geometric middle")
  }

  @Test func threeFlashesGrowDimmer() {
    let steps = TorchCountIn(level: 0.9).steps
    #expect(steps.map { ($0.level * 10).rounded() / 10 } == [0.9, 0, 0.6, 0, 0.3, 0, 0.9])
    #expect(steps.map(\.time.milliseconds) == [0, 50, 150, 200, 300, 350, 450])
    #expect(TorchCountIn(level: 7).steps.last?.level == 1)
  }

  @Test(
    arguments: [(false, false, nil), (false, true, nil), (true, false, nil), (true, true, true)]
      as [(Bool, Bool, Bool?)])
  func aRangeThatTheDeviceChoosesIsNeverSetByHand(isWished: Bool, isThere: Bool, byHand: Bool?) {
    let choice = DynamicRangeChoice(isLogWished: isWished, isLogSupported: isThere)
    #expect(choice.wideDynamicRange == byHand)
    #expect(choice.isAutomatic == (byHand == nil))
  }

  // MARK: Focus

  @Test func aLockWaitsForTheFocusOrSaysThatItDidNot() {
    var run = FocusRun(locks: true, at: time)
    #expect(run.state == .single)
    #expect(run.look(status: "busy", position: 0.2, at: time + .milliseconds(100)) == nil)
    #expect(run.look(status: "reached", position: 0.4, at: time + .milliseconds(200)) == .lock)
    #expect(run.state == .locked)
    var late = FocusRun(locks: true, at: time)
    #expect(late.look(status: "busy", position: 0.2, at: time + .milliseconds(1999)) == nil)
    #expect(late.look(status: "busy", position: 0.3, at: time + .seconds(2)) == .lock)
    #expect(late.state == .lockedUnreached)
  }

  @Test func withoutAStatusALensThatStandsStillHasArrived() {
    var run = FocusRun(locks: true, at: time)
    for step in 0..<4 {
      #expect(run.look(status: nil, position: Double(step) / 10, at: time + .milliseconds(50 * step)) == nil)
    }
    #expect(run.look(status: nil, position: 0.3, at: time + .milliseconds(449)) == nil)
    #expect(run.look(status: nil, position: 0.3, at: time + .milliseconds(450)) == .lock)
  }

  @Test func aTapIsContinuousSoonAfterItWasReached() {
    var run = FocusRun(locks: false, at: time)
    #expect(run.state == .focusing)
    #expect(run.look(status: "reached", position: nil, at: time + .milliseconds(60)) == nil)
    #expect(run.look(status: "reached", position: nil, at: time + .milliseconds(160)) == .focusContinuously)
    #expect(run.state == .continuous)
  }

  // MARK: Formats

  @Test func ratesOfFilmAreExact() {
    #expect(FrameInterval(rate: 23.976) == FrameInterval(numerator: 1001, denominator: 24_000))
    #expect(FrameInterval(rate: 29.97) == FrameInterval(numerator: 1001, denominator: 30_000))
    #expect(FrameInterval(rate: 59.94) == FrameInterval(numerator: 1001, denominator: 60_000))
    #expect(FrameInterval(rate: 30) == FrameInterval(framesPerSecond: 30))
    #expect(FrameInterval(rate: 12.5) == FrameInterval(numerator: 1000, denominator: 12_500))
    #expect(FrameInterval(rate: 0) == nil && FrameInterval(rate: .nan) == nil)
  }

  private func format(_ pixels: PixelFormat, _ matrix: ColorMatrix, _ interval: FrameInterval) -> CameraFormat
  {
    CameraFormat(
      image: ImageFormat(
        pixelFormat: pixels, size: PixelSize(width: 1920, height: 1080),
        color: ColorDescription(matrix: matrix, range: .limited)), frameInterval: interval)
  }

  @Test func theChoiceSaysWhatDiffers() throws {
    let whole = format(.nv12, .bt709, FrameInterval(framesPerSecond: 30))
    let film = format(.nv12, .bt709, FrameInterval(numerator: 1001, denominator: 30_000))
    let hd = PixelSize(width: 1920, height: 1080)
    #expect(FormatFinder(size: hd, framesPerSecond: 29.97).choice(of: [whole, film])?.format == film)
    #expect(FormatFinder(size: hd, framesPerSecond: 29.97).exact(of: [whole]) == nil)
    let near = try #require(FormatFinder(size: hd, framesPerSecond: 29.97).choice(of: [whole]))
    #expect(near.differences == ["requested 29.97 frames a second, nearest is 30"])
    #expect(FormatFinder(size: hd, framesPerSecond: 30).choice(of: [film, whole])?.isExact == true)
  }

  @Test func sizesAreTheLargestFirst() {
    let formats = [(640, 480), (1920, 1080), (640, 480), (1280, 720)].map { width, height in
      CameraFormat(
        image: ImageFormat(
          pixelFormat: .nv12, size: PixelSize(width: width, height: height),
          color: ColorDescription(matrix: .bt709, range: .limited)),
        frameInterval: FrameInterval(framesPerSecond: 30))
    }
    #expect(FormatFinder.sizes(of: formats).map(\.width) == [1920, 1280, 640])
  }

  @Test func logIsChosenOnlyWhereItIs() {
    let rate = FrameInterval(framesPerSecond: 30)
    let formats = [format(.nv12, .bt709, rate), format(.p010, .bt709, rate), format(.p010, .bt2020, rate)]
    var finder = FormatFinder(size: PixelSize(width: 1920, height: 1080))
    #expect(finder.best(of: formats) == formats[0])
    finder.isLog = true
    #expect(finder.best(of: formats) == formats[2])
    #expect(
      finder.choice(of: Array(formats.prefix(2)))?.differences == [
        "requested a log format, and the camera has none"
      ])
  }
}
