import Capture
import Imagery
import Testing

@testable import Replay

/// The lens's blur, the zoom and the white balance in the picture.
@Suite struct LensAndColorTests {
  private func fixture(
    _ scene: SensorScene = SensorScene(lightValue: 12), _ change: (inout SensorModel) -> Void = { _ in }
  ) throws -> SensorFixture {
    var model = SensorModel()
    change(&model)
    return try SensorFixture(
      SensorSource(size: PixelSize(width: 640, height: 360), model: model, scene: scene))
  }

  @Test func theCircleOfConfusionIsThatOfAThinLens() {
    var exposure = SensorDevice(SensorModel()).exposure
    exposure.lensPosition = 1
    let model = SensorModel()
    // At 4.5 mm, f/2 and focused at infinity, a point at 10 cm has a blur of 4.5² / 2 × 10 / 1000 = 0.101 mm, on a sensor of 5.6
    // mm.
    let width = SensorColumns.blur(of: 10, exposure: exposure, model: model, width: 560)
    #expect(abs(width - 10.125) < 1e-9)
    #expect(SensorColumns.blur(of: 0, exposure: exposure, model: model, width: 560) == 0)
  }

  @Test func automaticFocusMakesTheBarsSharp() throws {
    let scene = SensorScene(lightValue: 12)
    scene.setDistances(left: 0.15, right: 0.15)
    let camera = try fixture(scene)
    let blurred = SensorReading(image: try camera.frame().image).sharpness(x: 0.3...0.7)
    let frames = try camera.frames(30)
    let sharp = SensorReading(image: frames[29].image).sharpness(x: 0.3...0.7)
    #expect(sharp > 2 * blurred)
    #expect(camera.value(.focusStatus) == .choice("reached"))
    #expect(abs(camera.number(.lensPosition) - (1 - 1 / 0.15 / 10)) < 1e-6)
  }

  /// The half of the picture with the focus point becomes sharp, and the other half does not.
  @Test func theFocusPointChoosesWhatIsSharp() throws {
    let scene = SensorScene(lightValue: 12)
    scene.setDistances(left: 0.12, right: 5)
    let camera = try fixture(scene)
    for (x, near) in [(0.2, true), (0.8, false)] {
      camera.set((.focusMode, .choice("single")), (.focusPoint, .point(x: x, y: 0.5)))
      let reading = SensorReading(image: try camera.frames(30)[29].image)
      let (left, right) = (reading.sharpness(x: 0.3...0.48), reading.sharpness(x: 0.52...0.7))
      #expect((left > right) == near, "\(left) \(right)")
    }
  }

  /// A focus search must not use the frame that was exposed before it, because that frame shows the sharpness at another place.
  @Test func aSearchBeginsWithAFrameOfItsOwnPlace() throws {
    let scene = SensorScene(lightValue: 12)
    scene.setDistances(left: 0.15, right: 3)
    let camera = try fixture(scene) { $0.lensSpeed = 1 }
    try camera.frames(30)
    camera.set((.focusMode, .choice("single")), (.focusPoint, .point(x: 0.2, y: 0.5)))
    try camera.frame()
    #expect(camera.value(.focusStatus) == .choice("busy"))
    var waited = 0
    while camera.value(.focusStatus) != .choice("reached"), waited < 40 {
      try camera.frame()
      waited += 1
    }
    #expect(waited > 10 && waited < 40)
    #expect(abs(camera.number(.lensPosition) - (1 - 1 / 0.15 / 10)) < 1e-6)
  }

  @Test func aLockedLensStays() throws {
    let scene = SensorScene(lightValue: 12)
    let camera = try fixture(scene)
    try camera.frames(20)
    camera.set((.focusMode, .choice("locked")))
    try camera.frames(3)
    let held = camera.number(.lensPosition)
    scene.setDistances(left: 0.12, right: 0.12)
    try camera.frames(20)
    #expect(camera.number(.lensPosition) == held)
  }

  @Test func inTheDarkTheFocusIsGivenUp() throws {
    let camera = try fixture(SensorScene(lightValue: -6)) { $0.isos = 50...100 }
    camera.set((.focusMode, .choice("single")), (.focusPoint, .point(x: 0.5, y: 0.5)))
    try camera.frames(40)
    #expect(camera.value(.focusStatus) == .choice("failed"))
  }

  /// Returns the period of the bars in pixels, measured where they rise above their mean.
  private func period(_ image: PixelBuffer) -> Double {
    let plane = image.planes[0]
    let row = image.format.size.height / 2
    let columns = 640 * 30 / 100..<640 * 70 / 100
    let codes = columns.map { column in
      (-20..<20).reduce(0.0) {
        $0 + Double(plane.base.load(fromByteOffset: (row + $1) * plane.bytesPerRow + column, as: UInt8.self))
      } / 40
    }
    let mean = codes.reduce(0, +) / Double(codes.count)
    let rises = codes.indices.dropFirst().filter { codes[$0 - 1] < mean && codes[$0] >= mean }
    return Double((rises.last ?? 0) - (rises.first ?? 0)) / Double(max(rises.count - 1, 1))
  }

  @Test func zoomMagnifies() throws {
    let camera = try fixture()
    let wide = period(try camera.frames(20)[19].image)
    camera.set((.zoom, .number(2)))
    let tele = period(try camera.frames(20)[19].image)
    #expect(abs(wide - 40) < 0.6 && abs(tele - 80) < 1)
  }

  @Test func aSlowZoomTakesItsTime() throws {
    let camera = try fixture { $0.zoomSpeed = 3 }
    camera.set((.zoom, .number(2)))
    try camera.frames(7)
    let trace = camera.log.frames.map(\.zoom)
    // At a speed of 3 a second, doubling takes ten frames of 1/30 s.
    #expect(zip(trace, trace.dropFirst()).allSatisfy { $0 <= $1 } && trace[6] < 1.6)
    try camera.frames(6)
    #expect(camera.log.frames.last?.zoom == 2)
  }

  /// If the white balance matches the light, the ratio of red to blue of a grey card is 1.
  @Test(arguments: [2800.0, 4000, 5500, 8000]) func theRightTemperatureIsWhite(kelvin: Double) throws {
    let scene = SensorScene(lightValue: 12)
    scene.temperature = kelvin
    let camera = try fixture(scene)
    camera.set((.whiteBalanceMode, .choice("manual")), (.whiteBalanceTemperature, .number(kelvin)))
    let seen = SensorReading(image: try camera.frames(30)[29].image).redOverBlue
    #expect(abs(seen - 1) < 0.03)
  }

  /// By Planck's law: in light of 3200 K, a camera set to 5500 K sees the quotient of the two black bodies' red-to-blue ratios.
  @Test func aWrongTemperatureIsAsWrongAsTheBlackBodiesAre() throws {
    let scene = SensorScene(lightValue: 12)
    scene.temperature = 3200
    let camera = try fixture(scene)
    camera.set((.whiteBalanceMode, .choice("manual")), (.whiteBalanceTemperature, .number(5500)))
    let seen = SensorReading(image: try camera.frames(30)[29].image).redOverBlue
    let (light, assumed) = (Illuminant(temperature: 3200), Illuminant(temperature: 5500))
    let expected = light.red / assumed.red * assumed.blue / light.blue
    #expect(abs(seen / expected - 1) < 0.03 && expected > 2)
    camera.set((.whiteBalanceTemperature, .number(4500)))
    let nearer = SensorReading(image: try camera.frames(5)[4].image).redOverBlue
    #expect(nearer < seen)
  }

  @Test func whiteOfBT709IsD65() {
    // Daylight does not lie on the black-body locus: D65 is 0.0032 towards green.
    let daylight = Illuminant(temperature: 6504, tint: 0.0032 * 3000)
    #expect(abs(daylight.red - 1) < 0.01 && abs(daylight.blue - 1) < 0.01, "\(daylight)")
    // By Planck's law, the black body of 6504 K has x 0.3135 and y 0.3237. The matrix of IEC 61966-2-1 converts them to these
    // values.
    let body = Illuminant(temperature: 6504)
    #expect(abs(body.red - 1.059) < 0.01 && abs(body.blue - 1.052) < 0.01, "\(body)")
    #expect(Illuminant(temperature: 3000).red > 1.5 && Illuminant(temperature: 3000).blue < 0.6)
    let green = Illuminant(temperature: 5000, tint: 60)
    let plain = Illuminant(temperature: 5000)
    #expect(green.red < plain.red && green.blue < plain.blue)
  }

  @Test func automaticWhiteBalanceFindsTheLight() throws {
    let scene = SensorScene(lightValue: 12)
    scene.temperature = 3000
    let camera = try fixture(scene)
    try camera.frames(30)
    #expect(abs(camera.number(.whiteBalanceTemperature) - 3000) < 30)
  }
}
