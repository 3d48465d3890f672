public import Harness
public import Probes

extension ScenarioCatalogue {
  /// What needs a real driver: run when its suite or its name is given. In the order of the report.
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
