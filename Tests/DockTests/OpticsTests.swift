import Capture
import Imagery
import Testing

@testable import Dock

extension DockOptics {
  /// The optics of an upright picture with a field of view of 60°.
  static let plain = DockOptics(
    FrameOrientation.upright, mount: SensorMount(), size: PixelSize(width: 640, height: 360),
    fieldOfView: .pi / 3, zoom: 1)
}

@Suite struct OpticsTests {
  @Test func theEdgeOfThePictureIsHalfOfTheFieldAway() {
    let right = DockOptics.plain.angles(of: DockPoint(x: 1, y: 0.5))
    #expect(abs(right.pan - .pi / 6) < 1e-9 && abs(right.tilt) < 1e-9)
    #expect(DockOptics.plain.angles(of: DockPoint(x: 0.5, y: 0.2)).tilt > 0)
  }

  /// The motors turn with the device. If it is held a quarter turn clockwise, the user's right is up for the motors.
  @Test func aDeviceThatIsTurnedTurnsItsMotors() {
    for (turn, expected) in [
      (Rotation.none, (1.0, 0.0)), (.clockwise90, (0, 1)), (.half, (-1, 0)), (.clockwise270, (0, -1)),
    ] {
      let mount = SensorMount()
      let capture = mount.orientation(deviceTurned: turn)
      let optics = DockOptics(
        FrameOrientation(preview: capture, capture: capture), mount: mount,
        size: PixelSize(width: 640, height: 360),
        fieldOfView: .pi / 3, zoom: 1)
      let angles = optics.angles(of: DockPoint(x: 0.7, y: 0.5))
      #expect((angles.pan * expected.0 + angles.tilt * expected.1) > 0.1, "\(turn) \(angles)")
      #expect(abs(angles.pan * expected.1) + abs(angles.tilt * expected.0) < 1e-9, "\(turn) \(angles)")
    }
  }

  @Test(arguments: Orientation.allCases) func theShiftIsWhatTheAnglesUndo(_ orientation: Orientation) {
    let optics = DockOptics(
      FrameOrientation(preview: orientation, capture: orientation), mount: SensorMount(),
      size: PixelSize(width: 640, height: 360), fieldOfView: .pi / 3, zoom: 1)
    let point = DockPoint(x: 0.51, y: 0.48)
    let shift = optics.shift(of: optics.angles(of: point))
    #expect(abs(point.x + shift.x - 0.5) < 1e-3 && abs(point.y + shift.y - 0.5) < 1e-3, "\(shift)")
  }

  @Test func aLensThatMagnifiesMakesAnglesSmaller() {
    let near = DockOptics(
      .upright, mount: SensorMount(), size: PixelSize(width: 640, height: 360), fieldOfView: .pi / 3, zoom: 2)
    #expect(
      near.angles(of: DockPoint(x: 1, y: 0.5)).pan < DockOptics.plain.angles(of: DockPoint(x: 1, y: 0.5)).pan
        * 0.6)
  }
}
