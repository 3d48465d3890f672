import Capture
import Imagery
import System
import Testing

@Suite struct RotationCoordinatorTests {
  private func time(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  @Test func eachFrameHasTheAngleOfItsOwnTime() {
    let rotation = RotationCoordinator()
    rotation.noteAttitude(degrees: 0, at: time(0))
    rotation.noteAttitude(degrees: 90, at: time(100))
    #expect(rotation.orientation(at: time(99)).capture == .upright)
    #expect(rotation.orientation(at: time(100)).capture == Orientation(rotation: .clockwise90))
    #expect(rotation.captureAngle == 90)
  }

  @Test(arguments: [
    (44.0, 0), (54.9, 0), (55, 0), (55.1, 90), (-56, 270), (304.0, 270), (360.0, 0), (719.0, 0),
  ])
  func hysteresis(degrees: Double, expected: Int) {
    let rotation = RotationCoordinator(policy: RotationPolicy(hysteresis: 55))
    rotation.noteAttitude(degrees: 0, at: time(0))
    rotation.noteAttitude(degrees: degrees, at: time(10))
    #expect(rotation.captureAngle == expected)
  }

  @Test func aWobbleAroundTheCornerDoesNotFlutter() {
    let rotation = RotationCoordinator()
    var turns = 0
    var last = 0
    for step in 0..<200 {
      rotation.noteAttitude(degrees: 45 + (step % 2 == 0 ? 8 : -8), at: time(Int64(step)))
      if rotation.captureAngle != last { (turns, last) = (turns + 1, rotation.captureAngle) }
    }
    #expect(turns <= 1)
  }

  @Test func dwellWaits() {
    let rotation = RotationCoordinator(policy: RotationPolicy(hysteresis: 55, dwell: .milliseconds(100)))
    rotation.noteAttitude(degrees: 0, at: time(0))
    rotation.noteAttitude(degrees: 90, at: time(10))
    rotation.noteAttitude(degrees: 90, at: time(109))
    #expect(rotation.captureAngle == 0)
    rotation.noteAttitude(degrees: 90, at: time(110))
    #expect(rotation.captureAngle == 90)
  }

  /// The dwell time starts again whenever the device turns to another angle.
  @Test func dwellBeginsAnewWithEveryChangeOfMind() {
    let rotation = RotationCoordinator(policy: RotationPolicy(hysteresis: 55, dwell: .milliseconds(100)))
    for (degrees, at) in [(0.0, 0), (90, 10), (0, 60), (90, 70), (90, 115), (180, 130), (180, 229)] {
      rotation.noteAttitude(degrees: degrees, at: time(Int64(at)))
      #expect(rotation.captureAngle == 0)
    }
    rotation.noteAttitude(degrees: 180, at: time(230))
    #expect(rotation.captureAngle == 180)
  }

  @Test func beforeTheFirstReadingItWasHeldAsThen() {
    let rotation = RotationCoordinator()
    rotation.noteAttitude(degrees: 90, at: time(100))
    #expect(rotation.orientation(at: time(50)).capture == Orientation(rotation: .clockwise90))
  }

  @Test func manyTurnsAreFollowedAndTheOldestForgotten() {
    let rotation = RotationCoordinator()
    for turn in 0...100 {
      rotation.noteAttitude(degrees: Double(turn * 90), at: time(Int64(turn)))
      #expect(rotation.captureAngle == turn % 4 * 90)
    }
    #expect(
      rotation.orientation(at: time(37)).capture.rotation == .clockwise90, "the angle of 64 turns before")
    #expect(rotation.orientation(at: time(0)).capture.rotation == .clockwise90, "the oldest that is known")
  }

  @Test func mountAndFacing() {
    let rotation = RotationCoordinator()
    rotation.setMount(SensorMount(orientation: Orientation(rotation: .clockwise90)))
    rotation.noteAttitude(degrees: 90, at: time(0))
    #expect(rotation.captureAngle == 180)
    rotation.setMount(
      SensorMount(orientation: Orientation(rotation: .clockwise270, isMirrored: true), isFrontFacing: true))
    #expect(rotation.orientation(at: time(0)).capture == Orientation(rotation: .half, isMirrored: true))
  }

  @Test func aLockedSurfaceStaysWhilePhotosTurn() {
    let rotation = RotationCoordinator()
    rotation.lockSurface(to: Rotation.none)
    rotation.noteAttitude(degrees: 90, at: time(0))
    #expect(rotation.previewAngle == 0)
    #expect(rotation.captureAngle == 90)
    rotation.lockSurface(to: nil)
    #expect(rotation.previewAngle == 90)
  }

  /// This follows AVFoundation's `automaticallyAdjustsVideoMirroring`.
  @Test func thePreviewOfACameraThatFacesItsUserIsMirroredUnlessSaidOtherwise() {
    let rotation = RotationCoordinator()
    rotation.setMount(SensorMount(isFrontFacing: true))
    for (wish, isMirrored) in [(nil, true), (false, false), (true, true)] as [(Bool?, Bool)] {
      rotation.setPreviewMirrored(wish)
      let orientation = rotation.orientation(at: time(0))
      #expect(orientation.preview.isMirrored == isMirrored && !orientation.capture.isMirrored)
    }
    rotation.setPreviewMirrored(nil)
    rotation.setMount(SensorMount())
    #expect(!rotation.orientation(at: time(0)).preview.isMirrored)
  }

  @Test func anotherPolicyKeepsTheAngleUntilItChanges() {
    let rotation = RotationCoordinator()
    rotation.noteAttitude(degrees: 0, at: time(0))
    rotation.noteAttitude(degrees: 50, at: time(1))
    rotation.setPolicy(RotationPolicy(hysteresis: 46))
    #expect(rotation.captureAngle == 0)
    rotation.noteAttitude(degrees: 50, at: time(2))
    #expect(rotation.captureAngle == 90)
  }

  @Test func aMirroredPreviewLeavesPhotosAlone() {
    let rotation = RotationCoordinator()
    rotation.setPreviewMirrored(true)
    let orientation = rotation.orientation(at: time(0))
    #expect(orientation.preview.isMirrored)
    #expect(!orientation.capture.isMirrored)
  }

  @Test func nonsenseFromTheSensorIsIgnored() {
    let rotation = RotationCoordinator()
    for degrees in [Double.nan, .infinity, -.infinity] {
      rotation.noteAttitude(degrees: degrees, at: time(0))
    }
    #expect(rotation.captureAngle == 0)
  }
}
