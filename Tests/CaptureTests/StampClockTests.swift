import Imagery
import System
import Testing

@testable import Capture

/// The time stamps of drivers with good and bad clocks. Corrected stamps stay close to the real exposure times.
@Suite struct StampClockTests {
  /// A camera with 30 frames per second that stamps the beginning of the exposure. All times are in milliseconds.
  private struct Camera {
    var frames = 300
    /// The time between exposures.
    var interval = 33.0
    /// The time from the beginning of a frame's exposure to the frame's arrival, given the frame's number.
    var delay: @Sendable (Int) -> Double = { 20 + Double($0 * 7 % 5) }
    /// The error of a frame's stamp, given the frame's number and its time since the first frame; nil repeats the previous stamp.
    var fault: @Sendable (Int, Double) -> Double? = { _, _ in 0 }
    /// The longest time from the start of the stream to the first exposure.
    var lead = 40.0
    var knowsInterval = true
  }

  private struct Found {
    /// The error of each frame's corrected time.
    var errors: [Double] = []
    /// The difference of successive frames' corrected times.
    var steps: [Double] = []
    var count = 0
  }

  private func found(_ camera: Camera) -> Found {
    var (found, clock) = (Found(), StampClock(interval: camera.knowsInterval ? .milliseconds(33) : nil))
    func time(_ milliseconds: Double) -> Int64 { 100_000_000_000 + Int64(milliseconds * 1e6) }
    clock.restart(at: MonotonicTime(nanoseconds: time(-camera.lead)))
    var (stamp, before): (Int64, Int64?) = (0, nil)
    for number in 0..<camera.frames {
      let exposure = Double(number) * camera.interval
      if let fault = camera.fault(number, exposure) { stamp = time(exposure + fault) }
      let arrival = MonotonicTime(nanoseconds: time(exposure + camera.delay(number)))
      let read =
        clock.time(
          of: stamp, number: UInt32(number), arrival: arrival, guess: arrival.nanoseconds - 33_000_000)
        ?? clock.time(arrivedAt: arrival) ?? arrival.nanoseconds
      let time = max(min(read, arrival.nanoseconds), before ?? .min)
      found.errors.append(Double(time) / 1e6 - 100_000 - exposure)
      if let before { found.steps.append(Double(time - before) / 1e6) }
      before = time
    }
    found.count = clock.steps
    return found
  }

  @Test func aSoundClockIsKeptToTheNanosecond() {
    for delay in [0.0, 20, 90, 500] {
      let found = found(Camera(delay: { _ in delay }))
      #expect(found.errors.allSatisfy { abs($0) < 0.001 } && found.count == 0)
    }
  }

  /// Late arrival is no step of the clock: frames that waited while the program was held up for three seconds, and the long
  /// intervals of a dark scene.
  @Test(arguments: [true, false]) func whatComesLateIsNoStep(_ knowsInterval: Bool) {
    var camera = Camera(knowsInterval: knowsInterval)
    camera.delay = { (100..<108).contains($0) ? 3000 - Double($0 - 100) * 32 : 20 }
    let late = found(camera)
    #expect(late.errors.allSatisfy { abs($0) < 0.001 } && late.count == 0)
    camera = Camera(interval: 200, knowsInterval: knowsInterval)
    camera.delay = { Double($0 * 37 % 50) }
    #expect(found(camera).count == 0)
  }

  /// The clock steps once, by these milliseconds, and keeps that error.
  @Test(arguments: [-3000.0, -1000, -500, -50, -33, 50, 100, 500, 2000, 4000, 100_000, -90_000])
  func aStepIsTakenOut(_ step: Double) {
    for knowsInterval in [true, false] {
      let found = found(Camera(fault: { number, _ in number < 60 ? 0 : step }, knowsInterval: knowsInterval))
      #expect(found.count == 1, "\(step) is reported")
      #expect(found.steps.allSatisfy { $0 > 5 && $0 < 67 }, "\(step): \(found.steps.min() ?? 0)")
      #expect(found.errors.allSatisfy { abs($0) < 35 }, "\(step)")
    }
  }

  /// The first stamp, or the first five, have an error; all others are right.
  @Test(arguments: [-3000.0, -1000, 500, 3000, 100_000], [1, 5])
  func aBeginningIsTakenOut(_ fault: Double, _ frames: Int) {
    let found = found(Camera(fault: { number, _ in number < frames ? fault : 0 }))
    #expect(found.count == 1)
    #expect(found.errors.allSatisfy { abs($0) < 35 } && found.errors.last == 0)
    #expect(found.steps.allSatisfy { $0 < 67 })
  }

  /// The first frame may take a second, so its wrong stamp is plausible. The second stamp shows the error.
  @Test func aFirstStampThatCouldBeIsFoundOut() {
    let found = found(Camera(fault: { number, _ in number < 1 ? -500 : 0 }, lead: 1000))
    #expect(found.count == 1 && found.errors.dropFirst().allSatisfy { abs($0) < 0.001 })
  }

  /// A single wrong stamp counts as one step; repeated wrong stamps count each.
  @Test(arguments: [-3000.0, -500, 500, 3000]) func stampsThatAreWrongByThemselvesAreSteps(_ fault: Double) {
    let once = found(Camera(fault: { number, _ in number == 60 ? fault : 0 }))
    #expect(once.count == 1 && once.errors.allSatisfy { abs($0) < 35 } && once.steps.allSatisfy { $0 > 5 })
    let often = found(Camera(fault: { number, _ in number % 5 == 4 ? fault : 0 }))
    #expect(
      often.count == 60 && often.errors.allSatisfy { abs($0) < 35 } && often.steps.allSatisfy { $0 > 5 })
  }

  @Test func aSawtoothIsTakenOut() {
    let back = found(Camera(fault: { number, _ in Double(number / 30) * -400 }))
    #expect(back.count == 9 && back.errors.allSatisfy { abs($0) < 40 } && back.steps.allSatisfy { $0 > 5 })
    let teeth = found(Camera(fault: { number, time in -Double(number % 30) * 20 }))
    #expect(teeth.errors.allSatisfy { abs($0) < 700 } && teeth.steps.allSatisfy { $0 > 5 })
  }

  @Test func aStampThatRepeatsIsNoStep() {
    let once = found(Camera(fault: { number, _ in number == 60 ? nil : 0 }))
    #expect(once.count == 0 && once.errors.allSatisfy { abs($0) < 5 })
    let twice = found(Camera(fault: { number, _ in number % 2 == 1 ? nil : 0 }))
    #expect(twice.count == 0 && twice.errors.allSatisfy { abs($0) < 5 } && twice.steps.allSatisfy { $0 > 20 })
    let stuck = found(Camera(fault: { number, _ in number > 0 ? nil : 0 }))
    #expect(stuck.count == 0 && stuck.errors.allSatisfy { abs($0) < 5 })
  }

  /// The clock's drift in parts per thousand, over more than three minutes.
  @Test(arguments: [-100.0, -10, -0.1, 0.1, 10, 100]) func aClockThatDriftsStaysNearOurs(_ drift: Double) {
    let found = found(Camera(frames: 6000, fault: { _, time in time * drift / 1000 }))
    #expect(found.errors.allSatisfy { abs($0) < 1000 } && found.count == 0)
    #expect(found.steps.allSatisfy { $0 > 20 && $0 < 50 })
  }

  /// All stamps come from another clock, so only the intervals between them are usable.
  @Test(arguments: [-60_000.0, -3000, 1e9, 1e12]) func anotherClockIsGuessed(_ fault: Double) {
    let found = found(Camera(fault: { _, _ in fault }))
    #expect(found.count == 0 && found.errors.allSatisfy { abs($0) < 35 })
    #expect(found.steps.allSatisfy { abs($0 - 33) < 0.001 })
  }
}
