public import Harness
public import Probes

extension ScenarioCatalogue {
  /// Returns the scenarios that need a real driver, in the order of the report. A scenario runs only if its suite or its name is given.
  public static func devices(_ rig: Rig) -> [any Scenario] {
    [
      FormatSweep(rig: rig), DeviceAccess(rig: rig), DeviceControls(rig: rig), DeviceDock(rig: rig),
      LoopLatency(rig: rig), DisplayLoop(rig: rig), PhotonLatency(rig: rig),
      SharedFrames(rig: rig), DevicePhotos(rig: rig), DeviceLooks(rig: rig), DeviceRecording(rig: rig),
      AccelerometerTurns(rig: rig),
      DeviceTrouble.usb(rig: rig), DeviceTrouble.driver(rig: rig), DeviceTrouble.signal(rig: rig),
      TwinCameras(rig: rig), StubbornCamera.late(rig: rig), StubbornCamera.undecodable(rig: rig),
      StubbornCamera.unreadable(rig: rig),
      DeviceRestarts(rig: rig), Unplugging(rig: rig), SecondClient(rig: rig), OtherSignal(rig: rig),
      FirstFrame(rig: rig),
    ]
  }
}
