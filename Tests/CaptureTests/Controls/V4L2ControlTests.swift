import CVideo4Linux
import Imagery
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// The mapping of a V4L2 camera's controls.
@Suite struct V4L2ControlTests {
  /// The controls of `uvcvideo`.
  private static let webcam: [ScriptedControl] = [
    .flag(.autoWhiteBalance, true), .integer(.gain, 0...255, 0),
    .integer(.whiteBalanceTemperature, 2800...6500, 4000, step: 10),
    .menu(.autoExposure, [1, 3], 3), .integer(.exposureTime, 3...2047, 250),
    .flag(.exposureAutoPriority, true),
    .integer(.pan, -468_000...468_000, 0, step: 3600), .integer(.focus, 0...250, 0, step: 5),
    .flag(.autoFocus, true), .integer(.zoom, 100...400, 100),
    .integer(ControlID(rawValue: 0x0098_0999), 0...10, 5),
  ]

  private func rig(_ controls: [ScriptedControl] = webcam) throws -> CameraRig {
    let rig = CameraRig { $0.operated = controls }
    try rig.start()
    return rig
  }

  @Test func aWebcamIsWhatItsDriverMaps() throws {
    let rig = try rig()
    let all = rig.camera.capabilities()
    func capability(_ control: CameraControl) throws -> CameraControlCapability {
      try #require(all.first { $0.control == control })
    }
    #expect(
      try capability(.exposureMode).choices == ["manual", "auto"], "aperture priority is its automatic")
    let time = try capability(.exposureDuration)
    #expect(time.range == 3e-4...0.2047 && abs((time.step ?? 0) - 1e-4) < 1e-12)
    let iso = try capability(.iso)
    #expect(iso.range == 100...1600 && iso.origin == .mapped("gain"))
    #expect(try capability(.whiteBalanceTemperature).step == 10)
    #expect(try capability(.zoom).range == 1...4)
    #expect(try capability(.pan).range == -130...130)
    #expect(try capability(.lensPosition).range == 0...1)
    #expect(try capability(.focusMode).choices == ["continuous", "locked"])
    #expect(try capability(CameraControl(rawValue: "v4l2:0x980999")).range == 0...10)
    rig.camera.close()
    #expect(rig.kernel.leaks.isEmpty)
  }

  @Test func severalValuesAreOneCallAndReadBack() throws {
    let rig = try rig()
    let results = rig.camera.set([
      (.exposureMode, .choice("manual")), (.exposureDuration, .number(0.02)), (.iso, .number(850)),
      (.lensPosition, .number(1)), (.zoom, .number(2.5)),
    ])
    #expect(rig.kernel.with { $0.written } == [[.autoExposure, .exposureTime, .gain, .focus, .zoom]])
    #expect(results.map(\.refusal) == [nil, nil, nil, nil, nil])
    #expect(rig.kernel.with { $0[.exposureTime] } == 200)
    #expect(rig.kernel.with { $0[.gain] } == 128)
    #expect(rig.kernel.with { $0[.focus] } == 0, "the greatest is the nearest")
    #expect(results[4].took == .number(2.5))
    #expect(abs((results[2].took?.number ?? 0) - 852.9) < 0.1, "the value that it really took")
  }

  @Test(arguments: [Errno.inputOutput, .busy, .outOfRange, .accessDenied])
  func oneThatFailsDoesNotTakeTheOthersWithIt(errno: Errno) throws {
    let rig = try rig(
      Self.webcam.map { control in
        var control = control
        if control.id == .gain { control.fault = errno }
        return control
      })
    let results = rig.camera.set([(.iso, .number(400)), (.exposureDuration, .number(0.01))])
    #expect(results[0].refusal?.hasPrefix("cannot set iso: ") == true)
    #expect(results[1].refusal == nil && results[1].took == .number(0.01))
  }

  @Test func aMenuOfNumbersAndALockOfThreeBits() throws {
    let rig = try rig([
      .numbers(.exposureBias, [-2000, -1000, 0, 1000, 2000], 2),
      .numbers(.isoSensitivity, [100_000, 200_000], 0),
      ScriptedControl(.lock3A) { ($0.type, $0.range) = (V4L2_CTRL_TYPE_BITMASK, 0...7) },
    ])
    let all = rig.camera.capabilities()
    #expect(all.first { $0.control == .exposureBias }?.values == [-2, -1, 0, 1, 2])
    #expect(all.first { $0.control == .iso }?.values == [100, 200])
    _ = rig.camera.set([(.exposureBias, .number(1)), (.whiteBalanceLock, .flag(true))])
    #expect(rig.kernel.with { $0[.exposureBias] } == 3)
    #expect(rig.kernel.with { $0[.lock3A] } == 2)
    _ = rig.camera.set([(.exposureLock, .flag(true))])
    #expect(rig.kernel.with { $0[.lock3A] } == 3)
    #expect(rig.camera.values(of: [.whiteBalanceLock])[.whiteBalanceLock] == .flag(true))
  }

  @Test func aTorchIsAModeAndItsCurrent() throws {
    let rig = try rig([.menu(.flashMode, [0, 1, 2], 0), .integer(.torchIntensity, 10...110, 10)])
    let results = rig.camera.set([(.torch, .number(0.5))])
    #expect(results.first?.took == .number(0.5))
    #expect(rig.kernel.with { $0[.flashMode] } == 2 && rig.kernel.with { $0[.torchIntensity] } == 60)
    #expect(rig.camera.set([(.torch, .number(0))]).first?.took == .number(0))
  }

  /// The greatest intensity is beyond what a floating-point number can hold exactly.
  @Test func aTorchOfAnAbsurdCurrentLightsToo() throws {
    let rig = try rig([.menu(.flashMode, [0, 1, 2], 0), .integer(.torchIntensity, 0...Int64.max, 0)])
    _ = rig.camera.set([(.torch, .number(1))])
    #expect(rig.kernel.with { $0[.flashMode] } == 2)
  }

  @Test func tintIsBothGainsWhereThereIsNoTemperature() throws {
    let rig = try rig([.integer(.redBalance, 0...1000, 200), .integer(.blueBalance, 0...1000, 100)])
    let tint = rig.camera.capabilities().first { $0.control == .tint }
    #expect(tint?.origin == .mapped("red-gain, blue-gain") && tint?.range == -150...150)
    let result = rig.camera.set([(.tint, .number(150))]).first
    #expect(rig.kernel.with { $0[.redBalance] } == 283 && rig.kernel.with { $0[.blueBalance] } == 141)
    #expect(abs((result?.took?.number ?? 0) - 150) <= 1)
    #expect(
      try !self.rig().camera.capabilities().contains { $0.control == .tint }, "a webcam has a temperature")
  }

  /// If the lock control's mask has no bit for the exposure, the camera offers no exposure lock.
  @Test func aLockHasTheBitsOfItsMask() throws {
    let rig = try rig([ScriptedControl(.lock3A) { ($0.type, $0.range) = (V4L2_CTRL_TYPE_BITMASK, 0...2) }])
    let present = rig.camera.capabilities().filter(\.isPresent).map(\.control)
    #expect(present == [.whiteBalanceLock])
  }

  /// The menu has two entries for six indices, and the driver's present value is an index without an entry.
  @Test func aMenuWithHolesHasWhatIsThere() throws {
    let rig = try rig([
      ScriptedControl(.isoSensitivity) {
        ($0.type, $0.range, $0.menu, $0.value) = (
          V4L2_CTRL_TYPE_INTEGER_MENU, 0...5, [1: 100_000, 4: 400_000], 2
        )
      }, .integer(.gain, 5...5, 5, step: 0),
    ])
    let iso = try #require(rig.camera.capabilities().first { $0.control == .iso })
    #expect(iso.values == [100, 400] && iso.defaultValue == nil)
    #expect(rig.camera.values(of: [.iso]).isEmpty)
    #expect(rig.camera.set([(.iso, .number(400))]).first?.took == .number(400))
    #expect(rig.kernel.with { $0[.isoSensitivity] } == 4)
  }

  /// Sensor drivers have an automatic gain with a control of its own. It is switched together with the exposure mode.
  @Test func theAutomaticsOfTheGainFollowTheMode() throws {
    let rig = try rig([
      .menu(.autoExposure, [0, 1], 0), .integer(.exposureTime, 1...500, 100), .flag(.autoGain, true),
      .integer(.gain, 10...160, 10),
    ])
    #expect(!rig.camera.capabilities().contains { $0.control.rawValue == "v4l2:0x980912" })
    let results = rig.camera.set([(.exposureMode, .choice("manual")), (.iso, .number(400))])
    #expect(results.map(\.took) == [.choice("manual"), .number(400)])
    #expect(rig.kernel.with { $0.written } == [[.autoGain, .autoExposure, .gain]])
    #expect(rig.kernel.with { $0[.autoGain] } == 0)
    _ = rig.camera.set([(.exposureMode, .choice("auto"))])
    #expect(rig.kernel.with { $0[.autoGain] } == 1)
  }

  @Test func aSingleFocusStopsTheContinuousOne() throws {
    let rig = try rig([
      .flag(.autoFocus, true), ScriptedControl(.autoFocusStart) { $0.type = V4L2_CTRL_TYPE_BUTTON },
    ])
    let result = rig.camera.set([(.focusMode, .choice("single"))]).first
    #expect(result?.took == .choice("single"))
    #expect(rig.kernel.with { $0.written } == [[.autoFocus, .autoFocusStart]])
    #expect(rig.camera.values(of: [.focusMode])[.focusMode] == .choice("locked"))
  }

  @Test func aTintIsTheSameWhenTheDeviceIsOpenedAgain() throws {
    let rig = try rig([.integer(.redBalance, 0...1000, 200), .integer(.blueBalance, 0...1000, 100)])
    for _ in 0..<3 {
      _ = rig.camera.set([(.tint, .number(150))])
      #expect(rig.kernel.with { $0[.redBalance] } == 283)
      rig.camera.close()
      try rig.start()
    }
    #expect(rig.camera.values(of: [.tint])[.tint] == .number(150))
  }

  @Test func withoutAFlashModeThereIsNoTorchAndItSaysWhy() throws {
    let torch = try #require(rig().camera.capabilities().first { $0.control == .torch })
    #expect(
      torch.absence
        == "its driver has no flash mode (V4L2_CID_FLASH_LED_MODE); lights of /sys/class/leds belong to no camera"
    )
  }

  // MARK: Regions of interest

  private func region(mask: Int64) -> [ScriptedControl] {
    [
      .region(.regionOfInterest, width: 4000, height: 3000),
      ScriptedControl(.regionOfInterestAutomatics) {
        ($0.type, $0.range) = (V4L2_CTRL_TYPE_BITMASK, 0...mask)
      },
    ]
  }

  @Test func focusAndExposureLookWhereTheyAreTold() throws {
    let rig = try rig(region(mask: 9))
    let points = rig.camera.capabilities().filter(\.isPresent).map(\.control)
    #expect(points == [.focusPoint, .exposurePoint])
    let focus = rig.camera.set([(.focusPoint, .point(x: 0.25, y: 0.75))]).first
    #expect(focus?.took == .point(x: 0.25, y: 0.75))
    #expect(rig.kernel.with { $0[.regionOfInterestAutomatics] } == 8, "the exposure is left alone")
    let rectangle = try #require(rig.kernel.with { $0.rectangle(.regionOfInterest) })
    #expect([rectangle.left, rectangle.top] == [600, 1950])
    #expect([rectangle.width, rectangle.height] == [800, 600])
    // The device has only one region, which now belongs to the exposure.
    _ = rig.camera.set([(.exposurePoint, .point(x: 1, y: 0))])
    let corner = try #require(rig.kernel.with { $0.rectangle(.regionOfInterest) })
    #expect([corner.left, corner.top] == [3200, 0], "within the sensor")
    #expect(rig.kernel.with { $0[.regionOfInterestAutomatics] } == 1)
    #expect(rig.camera.values(of: [.focusPoint, .exposurePoint]).keys.sorted() == [.exposurePoint])
    rig.camera.close()
    #expect(rig.kernel.leaks.isEmpty)
  }

  /// Drivers without the control of automatic modes, without the focus among these modes, or without the region.
  @Test func withoutARegionThatFocusFollowsThereIsNoPoint() throws {
    let rectangleAlone = Array(region(mask: 9).prefix(1))
    for controls in [rectangleAlone, region(mask: 4), Array(region(mask: 9).suffix(1))] {
      #expect(try !rig(controls).camera.capabilities().contains { $0.control == .focusPoint })
    }
  }

  // MARK: Events

  /// Another program changes a slider all the time.
  @Test func aStormOfEventsLeavesTimeForFrames() throws {
    let rig = try rig()
    _ = rig.camera.capabilities()
    var (frames, changes) = (0, 0)
    rig.fill()
    for _ in 0..<20 {
      rig.kernel.with { device in
        for id in [ControlID.gain, .gain, .zoom] {
          var event = v4l2_event()
          (event.type, event.id) = (UInt32(V4L2_EVENT_CTRL), id.rawValue)
          device.tell(event)
        }
      }
      switch try rig.next() {
      case .frame:
        frames += 1
        rig.fill()
      case .controlsChanged(let changed):
        changes += 1
        #expect(changed == [.iso, .zoom], "each once")
      default: Issue.record("another event than controlsChanged")
      }
    }
    #expect(frames == 10 && changes == 10, "by turns")
  }

  @Test func anotherProgramsChangeIsTold() throws {
    let rig = try rig()
    _ = rig.camera.capabilities()
    rig.kernel.with { device in
      var event = v4l2_event()
      event.type = UInt32(V4L2_EVENT_CTRL)
      event.id = ControlID.gain.rawValue
      device.tell(event)
    }
    guard case .controlsChanged(let changed) = try rig.next() else {
      Issue.record("the change was not reported")
      return
    }
    #expect(changed == [.iso])
  }

  /// Reading the exposure mode for a viewfinder reads only that control.
  @Test func theExposureModeIsAskedByItself() throws {
    let rig = try rig()
    let before = rig.kernel.log.count
    #expect(rig.camera.values(of: [.exposureMode]) == [.exposureMode: .choice("auto")])
    let calls = rig.kernel.log.dropFirst(before)
    #expect(calls.count <= 8, "\(calls)")
    #expect(!calls.contains("VIDIOC_SUBSCRIBE_EVENT"))
  }
}
