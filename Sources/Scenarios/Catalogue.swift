public import Harness

/// Every scenario there is, in the order of the report.
public enum Catalogue {
  public static func scenarios(_ rig: Rig) -> [any Scenario] {
    [
      ProcessStart(rig: rig), PrewarmedStart(rig: rig), ShutterReady(rig: rig),
      LoadingState(),
      GlassToGlass(rig: rig), Pan(rig: rig), SharedFrames(rig: rig),
      RotationMatrix(rig: rig), RotationTurn(rig: rig), AccelerometerTurns(rig: rig),
      PhotoFormats(rig: rig), DevicePhotos(rig: rig),
      TroubleScenario.interruption(rig: rig), TroubleScenario.replug(rig: rig),
      TroubleScenario.stall(rig: rig),
      Foreground(rig: rig),
      KilledDelivery(rig: rig), LargeLibrary(rig: rig), LongQueue(rig: rig),
      ShelfToLibrary(rig: rig), BackendOutage(rig: rig), ScanningPreview(rig: rig),
      Unplugging(rig: rig), SecondClient(rig: rig), OtherSignal(rig: rig),
    ]
  }
}
