public import Harness

/// Every scenario there is, in the order of the report.
public enum Catalogue {
  public static func scenarios(_ rig: Rig) -> [any Scenario] {
    [
      ProcessStart(rig: rig), PrewarmedStart(rig: rig), ShutterReady(rig: rig),
      LoadingState(),
      GlassToGlass(rig: rig), EngineShare(rig: rig), Pan(rig: rig),
      AnalysisRate(rig: rig),
      RotationMatrix(rig: rig), RotationTurn(rig: rig),
      PhotoFormats(rig: rig), PhotoFloor(rig: rig), PreviewColors(rig: rig),
      PhotoCeiling(rig: rig), NearestFormat(rig: rig),
      TroubleScenario.interruption(rig: rig), TroubleScenario.replug(rig: rig),
      TroubleScenario.stall(rig: rig),
      Foreground(rig: rig), Notices(rig: rig),
      ShelfToLibrary(rig: rig), BackendOutage(rig: rig), ScanningPreview(rig: rig),
      KilledDelivery(rig: rig), DeliveryProtocol(rig: rig), LargeLibrary(rig: rig), LongQueue(rig: rig),
    ] + onDevices(rig)
  }

  /// What needs a real driver: run when its suite or its name is given.
  private static func onDevices(_ rig: Rig) -> [any Scenario] {
    [
      FormatSweep(rig: rig), DeviceAccess(rig: rig), LoopLatency(rig: rig),
      SharedFrames(rig: rig), DevicePhotos(rig: rig), AccelerometerTurns(rig: rig),
      DeviceTrouble.usb(rig: rig), DeviceTrouble.driver(rig: rig), DeviceTrouble.signal(rig: rig),
      TwinCameras(rig: rig), StubbornCamera.late(rig: rig), StubbornCamera.undecodable(rig: rig),
      StubbornCamera.unreadable(rig: rig),
      Unplugging(rig: rig), SecondClient(rig: rig), OtherSignal(rig: rig),
      FirstFrame(rig: rig),
    ]
  }
}
