import Imagery
import ScriptedKernel
import Testing
import Video4Linux

@testable import Capture

/// The mount of the sensor, as the driver or the user states it.
@Suite struct V4L2MountTests {
  private func mount(
    _ controls: [ControlID: Int32], _ request: V4L2Request = V4L2Request()
  ) throws -> SensorMount {
    let rig = CameraRig(request: request) { $0.controls = controls }
    defer { rig.camera.close() }
    return try rig.camera.open().mount
  }

  /// The example of the kernel's documentation is a phone whose stored picture must be rotated by 90° counter-clockwise.
  @Test(arguments: [(0, 0), (90, 270), (180, 180), (270, 90), (-90, 0), (45, 0), (360, 0)])
  func theSensorIsTurnedAsItsDriverSays(told: Int32, rotation: Int) throws {
    let mount = try mount([.cameraSensorRotation: told])
    #expect(mount.orientation == Orientation(rotation: try #require(Rotation(rawValue: rotation))))
    #expect(!mount.isFrontFacing)
  }

  @Test func onlyTheFrontFacesItsUser() throws {
    for (told, isFront) in [(0, true), (1, false), (2, false)] as [(Int32, Bool)] {
      #expect(try mount([.cameraOrientation: told]).isFrontFacing == isFront)
    }
    #expect(try mount([:]) == SensorMount())
  }

  /// With both flips set, a sensor that is mounted upside down gives an upright picture (as for the kernel's imx258).
  @Test func flipsCountWhereARotationIsTold() throws {
    let (both, half): ([ControlID: Int32], Int32) = ([.horizontalFlip: 1, .verticalFlip: 1], 180)
    #expect(try mount(both.merging([.cameraSensorRotation: half]) { $1 }).orientation == .upright)
    #expect(
      try mount([.horizontalFlip: 1, .cameraSensorRotation: 90]).orientation
        == Orientation(rotation: .clockwise270, isMirrored: true))
    #expect(
      try mount([.verticalFlip: 1, .cameraSensorRotation: 0]).orientation
        == Orientation(rotation: .half, isMirrored: true))
    #expect(try mount(both).orientation == .upright, "a webcam's flips are its user's wish")
  }

  @Test func whatTheDriverTurnsIsNotTurnedAgain() throws {
    #expect(try mount([.rotate: 90, .cameraSensorRotation: 90]).orientation == .upright)
    #expect(
      try mount([.rotate: 0, .cameraSensorRotation: 90]).orientation == Orientation(rotation: .clockwise270))
    #expect(try mount([.rotate: 90]).orientation == .upright)
  }

  @Test func theUsersWordCounts() throws {
    let controls: [ControlID: Int32] = [.cameraSensorRotation: 90, .cameraOrientation: 0]
    var request = V4L2Request()
    request.orientation = Orientation(rotation: .half)
    #expect(
      try mount(controls, request)
        == SensorMount(orientation: Orientation(rotation: .half), isFrontFacing: true))
    request.isFrontFacing = false
    #expect(try mount(controls, request) == SensorMount(orientation: Orientation(rotation: .half)))
    let rig = CameraRig(request: request) { $0.controls = controls }
    _ = try rig.camera.open()
    #expect(!rig.kernel.log.contains("VIDIOC_QUERY_EXT_CTRL"), "a driver that is not needed is not queried")
    rig.camera.close()
  }

  /// Controls that cannot be read do not make a camera unusable. The camera sets none of them.
  @Test(arguments: ["VIDIOC_QUERY_EXT_CTRL", "VIDIOC_G_EXT_CTRLS"])
  func aControlThatCannotBeReadTellsNothing(call: String) throws {
    let rig = CameraRig { $0.controls = [.cameraSensorRotation: 90, .cameraOrientation: 0] }
    rig.kernel.fail(call, .inputOutput, .inputOutput)
    #expect(try rig.camera.open().mount == SensorMount())
    _ = try rig.start()
    #expect(!rig.kernel.log.contains("VIDIOC_S_EXT_CTRLS"))
    rig.camera.close()
    #expect(rig.kernel.leaks.isEmpty)
  }
}
