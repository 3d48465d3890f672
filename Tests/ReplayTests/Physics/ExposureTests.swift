import Capture
import Imagery
import System
import Testing

@testable import Replay

/// The exposure level follows from light, shutter time, gain and aperture by ISO 12232.
@Suite struct ExposureTests {
  private static let size = PixelSize(width: 320, height: 180)

  private func fixture(
    _ light: Double = 10, _ change: (inout SensorModel) -> Void = { _ in }
  ) throws -> SensorFixture {
    var model = SensorModel()
    change(&model)
    return try SensorFixture(
      SensorSource(size: Self.size, model: model, scene: SensorScene(lightValue: light)))
  }

  /// The light value for which f/2, 1/100 s and ISO 100 are correct: 2² × 100 = 2^8.64.
  private static let right = 8.643856

  @Test func whatIsMeteredHasTheMetersLevel() throws {
    let level = PhotographicExposure.level(
      energy: 0.01 * 400, iso: 100, fNumber: 2)
    #expect(abs(level - 12.5 / 120) < 1e-12)
    #expect(abs(PhotographicExposure.lightValue(duration: 0.01, iso: 100, fNumber: 2) - Self.right) < 1e-5)
    #expect(
      abs(PhotographicExposure.product(lightValue: Self.right, fNumber: 2) - 0.01 * 100) < 1e-5)
  }

  @Test func theCurveIsItsOwnInverse() {
    for step in 0...1000 {
      let level = Double(step) / 1000
      #expect(abs(BT709Transfer.linear(BT709Transfer.encoded(level)) - level) < 1e-4)
    }
  }

  /// Reads the level from the picture, by formulas that the painter does not use.
  @Test func timeAndSpeedDoubleTheLevel() throws {
    let camera = try fixture(Self.right)
    func card(_ duration: Double, _ iso: Double) throws -> Double {
      camera.set(
        (.exposureMode, .choice("manual")), (.exposureDuration, .number(duration)), (.iso, .number(iso)))
      return SensorReading(image: try camera.frames(4)[3].image).card
    }
    let base = try card(0.01, 100)
    #expect(abs(base / (12.5 / 120) - 1) < 0.02)
    let (longer, faster, shorter) = (try card(0.02, 100), try card(0.01, 400), try card(0.0025, 100))
    #expect(abs(longer / base - 2) < 0.04)
    #expect(abs(faster / base - 4) < 0.08)
    #expect(abs(shorter / base - 0.25) < 0.01)
  }

  @Test func automaticExposureSettlesOnTheLight() throws {
    for light in [2.0, 6, 10, 14] {
      let camera = try fixture(light)
      try camera.frames(40)
      let last = try #require(camera.log.frames.last)
      #expect(abs(last.offset) < 0.1, "\(light)")
      #expect(last.duration <= camera.interval + 1e-9)
    }
  }

  @Test func biasMovesTheExposureByItsStops() throws {
    let camera = try fixture()
    try camera.frames(40)
    let before = try #require(camera.log.frames.last?.level)
    camera.set((.exposureBias, .number(1)))
    try camera.frames(40)
    let after = try #require(camera.log.frames.last?.level)
    #expect(abs(after / before - 2) < 0.12)
  }

  @Test func aCommandShowsSoManyFramesLater() throws {
    for delay in 1...3 {
      let camera = try fixture { $0.delay = delay }
      camera.set(
        (.exposureMode, .choice("manual")), (.exposureDuration, .number(0.01)), (.iso, .number(100)))
      try camera.frames(6)
      let first = try camera.frame().sequence
      camera.set((.iso, .number(800)))
      try camera.frames(6)
      let change = try #require(camera.log.frames.first { $0.iso == 800 }?.sequence)
      // When the command is given, the exposure of the frame after `first` has already begun.
      #expect(change == first + 1 + UInt32(delay), "\(delay)")
    }
  }

  @Test func lockedExposureStaysInOtherLight() throws {
    let camera = try fixture()
    try camera.frames(30)
    camera.set((.exposureLock, .flag(true)))
    try camera.frames(3)
    let held = try #require(camera.log.frames.last)
    camera.source.scene.setLight(13, at: camera.now)
    try camera.frames(10)
    let later = try #require(camera.log.frames.last)
    #expect(held.duration == later.duration && held.iso == later.iso && later.offset > 2)
    camera.set((.exposureLock, .flag(false)))
    try camera.frames(40)
    #expect(abs(camera.log.frames.last?.offset ?? 9) < 0.1)
  }

  /// A lamp is switched on while the rows are exposed one after another, so the lower rows get more of its light.
  @Test func rowsAreExposedOneAfterTheOther() throws {
    let camera = try fixture(Self.right) { $0.readout = 0.03 }
    camera.set(
      (.exposureMode, .choice("manual")), (.exposureDuration, .number(0.001)), (.iso, .number(800)))
    let start = try #require(camera.frames(5).last?.exposureTime)
    // The time is half-way through the rows of the frame after the next.
    let next = start + .nanoseconds(Int64(2 * camera.interval * 1e9))
    camera.source.scene.setLight(Self.right + 2, at: next + .milliseconds(15))
    let image = try camera.frames(2)[1].image
    let reading = SensorReading(image: image)
    let (above, below) = (
      reading.level(x: 0.3...0.9, y: 0.2...0.35), reading.level(x: 0.3...0.9, y: 0.65...0.8)
    )
    #expect(abs(below / above - 4) < 0.3)
    #expect(camera.log.frames.last?.start == next)
  }

  /// At 100 flashes a second, an exposure of 1/100 s is even, and an exposure of 1/1000 s has bands.
  @Test func flickerMakesBandsInShortExposures() throws {
    func spread(_ duration: Double) throws -> Double {
      let camera = try fixture(Self.right) { $0.readout = 0.03 }
      camera.source.scene.setFlicker(frequency: 100, depth: 0.8)
      camera.set(
        (.exposureMode, .choice("manual")), (.exposureDuration, .number(duration)),
        (.iso, .number(1 / duration)))
      let reading = SensorReading(image: try camera.frames(5)[4].image)
      let rows = stride(from: 0.16, to: 0.34, by: 0.02).map {
        reading.level(x: 0.3...0.9, y: $0...($0 + 0.015))
      }
      return (rows.max() ?? 0) / (rows.min() ?? 1)
    }
    let (whole, part) = (try spread(0.01), try spread(0.001))
    #expect(whole < 1.1 && part > 1.8)
  }

  @Test func theTorchLightsADarkScene() throws {
    let camera = try fixture(-2)
    camera.set(
      (.exposureMode, .choice("manual")), (.exposureDuration, .number(0.03)), (.iso, .number(400)))
    try camera.frames(5)
    let dark = try #require(camera.log.frames.last?.level)
    camera.set((.torch, .number(1)))
    try camera.frames(3)
    let lit = try #require(camera.log.frames.last?.level)
    // The light values 5 and −2 add up to 2^5 + 2^−2.
    #expect(abs(lit / dark - (32.25 / 0.25)) < 3)
  }

  /// Photon noise is Poisson noise: its variance is proportional to the level. At the same level, a higher speed is noisier.
  @Test func noiseFollowsLightAndSpeed() throws {
    func deviation(_ duration: Double, _ iso: Double) throws -> Double {
      let camera = try fixture(Self.right)
      camera.set(
        (.exposureMode, .choice("manual")), (.exposureDuration, .number(duration)), (.iso, .number(iso)))
      let codes = SensorReading(image: try camera.frames(5)[4].image).luma(x: 0.3...0.9, y: 0.2...0.35)
      let linear = codes.map { BT709Transfer.linear(max(0, ($0 - 16) / 219)) }
      let mean = linear.reduce(0, +) / Double(linear.count)
      return (linear.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(linear.count)).squareRoot()
        / mean
    }
    let (low, high) = (try deviation(0.02, 100), try deviation(0.0025, 800))
    // An eighth of the light has √8 times the noise at the same level. Read noise and rounding change this a little.
    #expect(high / low > 2.2 && high / low < 3.4)
  }

  @Test func theSameSeedGivesTheSamePicture() throws {
    func codes(_ seed: UInt64) throws -> [Double] {
      SensorReading(image: try fixture(8) { $0.seed = seed }.frames(3)[2].image).luma(
        x: 0.3...0.9, y: 0.2...0.3)
    }
    let (first, again, other) = (try codes(7), try codes(7), try codes(8))
    #expect(first == again && first != other)
  }
}
