import Glibc
import Imagery
import System
import Testing

@testable import Capture

/// The control loop of shutter priority, on a sensor with a delay.
@Suite struct ShutterPriorityTests {
  private struct Sensor {
    var light: Double
    let delay: Int
    var past: [Double]

    /// Exposes the next frame at the sensitivity `iso`, which takes effect `delay` frames later.
    /// - Returns: the offset that the meter measures, and the frame's sensitivity; nil if frames do not report it.
    mutating func frame(_ iso: Double, tells: Bool) -> (offset: Double, iso: Double?) {
      past.append(iso)
      let shown = past[max(0, past.count - 1 - delay)]
      // The meter's offset has a maximum, because clipped pixels do not show how much brighter than white the light is.
      return (min(log2(shown * light / 200), 3), tells ? shown : nil)
    }
  }

  private func isos() -> CameraControlCapability { CameraControlCapability(.iso, 25...25_600, unit: .iso) }

  @Test(arguments: [-3.0, -1, 1, 3], [0, 1, 2, 3])
  func aStepOfLightSettlesWithinSixFramesAndNeverSwings(stops: Double, delay: Int) {
    var loop = ShutterPriorityLoop(duration: 1.0 / 60, iso: 200, capability: isos())
    var sensor = Sensor(light: exp2(stops), delay: delay, past: [200, 200, 200, 200])
    #expect(loop.step(offset: 0, frameISO: 200, at: MonotonicTime(nanoseconds: -33_333_333)) == nil)
    var (sets, offsets): ([MonotonicTime], [Double]) = ([], [])
    var trace = [200.0]
    for frame in 0..<60 {
      let time = MonotonicTime(nanoseconds: Int64(frame) * 33_333_333)
      let (offset, iso) = sensor.frame(loop.iso, tells: true)
      offsets.append(offset)
      if let next = loop.step(offset: offset, frameISO: iso, at: time) {
        sets.append(time)
        trace.append(next)
      }
    }
    let settled = offsets.firstIndex { abs($0) <= 0.1 } ?? .max
    #expect(settled <= 6, "offsets \(offsets.prefix(10))")
    #expect(offsets.dropFirst(settled).allSatisfy { abs($0) <= 0.1 })
    #expect(trace == (stops > 0 ? trace.sorted(by: >) : trace.sorted()), "never back: \(trace)")
    for (first, second) in zip(sets, sets.dropFirst()) { #expect(second - first >= .milliseconds(99)) }
  }

  /// The light changes while a frame is read out, so its rows have different brightness.
  @Test func aFrameOfTwoLightsSetsNothing() {
    var loop = ShutterPriorityLoop(duration: 1.0 / 60, iso: 200, capability: isos())
    let sets = [0, 1.4, 3, 3].enumerated().map { frame, offset in
      loop.step(offset: offset, frameISO: 200, at: MonotonicTime(nanoseconds: Int64(frame) * 33_333_333))
    }
    #expect(sets == [nil, nil, 25, nil])
  }

  /// Only the last rows of a frame have the new light. The measured offset exceeds the dead band, but is far from the true one.
  @Test func aFrameWithAFewRowsOfAnotherLightSetsNothing() {
    var loop = ShutterPriorityLoop(duration: 1.0 / 60, iso: 200, capability: isos())
    let sets = [0, 0.18, 1, 1].enumerated().map { frame, offset in
      loop.step(offset: offset, frameISO: 200, at: MonotonicTime(nanoseconds: Int64(frame) * 33_333_333))
    }
    #expect(sets == [nil, nil, 100, nil])
  }

  /// The light flickers all the time.
  @Test func noSecondHasMoreThanTenChanges() {
    var loop = ShutterPriorityLoop(duration: 1.0 / 60, iso: 200, capability: isos())
    let sets = (0..<600).filter { frame in
      let right = frame / 4 % 2 == 0 ? 800.0 : 50
      return loop.step(
        offset: log2(loop.iso / right), at: MonotonicTime(nanoseconds: Int64(frame) * 33_333_333)) != nil
    }.map { MonotonicTime(nanoseconds: Int64($0) * 33_333_333) }
    #expect(sets.count > 100)
    for time in sets { #expect(sets.count { $0 > time + .seconds(-1) && $0 <= time } <= 10) }
  }

  @Test func withinTheDeadBandNothingIsSet() {
    var loop = ShutterPriorityLoop(duration: 1.0 / 60, iso: 200, capability: isos())
    for frame in 0..<600 {
      let offset = frame % 2 == 0 ? 0.1 : -0.1
      #expect(loop.step(offset: offset, at: MonotonicTime(nanoseconds: Int64(frame) * 33_333_333)) == nil)
    }
  }

  @Test func aMenuOfWholeStopsDoesNotSwingWithTheNoise() {
    var capability = CameraControlCapability(.iso)
    (capability.values, capability.range) = ([100, 200, 400, 800], 100...800)
    var loop = ShutterPriorityLoop(duration: 1.0 / 60, iso: 200, capability: capability)
    var sets = 0
    for frame in 0..<600 {
      // The right sensitivity lies midway between two steps, with 0.1 EV of noise.
      let right = 200 * exp2(0.5 + (frame % 2 == 0 ? 0.05 : -0.05))
      if loop.step(offset: log2(loop.iso / right), at: MonotonicTime(nanoseconds: Int64(frame) * 33_333_333))
        != nil
      {
        sets += 1
      }
    }
    #expect(sets <= 1)
  }

  @Test func itIsHeldToWhatTheDeviceHasAndFrozenByARecording() {
    var loop = ShutterPriorityLoop(
      duration: 1.0 / 60, iso: 10, capability: CameraControlCapability(.iso, 100...400))
    #expect(loop.iso == 100)
    let time = MonotonicTime(nanoseconds: 0)
    #expect(loop.step(offset: -9, at: time) == 400)
    #expect(
      loop.step(offset: -9, at: time + .seconds(1)) == nil, "the sensitivity is at its greatest already")
    loop.isFrozen = true
    #expect(loop.step(offset: 2, at: time + .seconds(2)) == nil)
  }
}
