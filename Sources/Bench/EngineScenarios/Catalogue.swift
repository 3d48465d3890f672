public import Harness
public import Probes

extension ScenarioCatalogue {
  /// Returns the scenarios on recordings, drawn cameras or the rig's own source, in the order of the report.
  public static func engine(_ rig: Rig) -> [any Scenario] {
    let away: [any Scenario] = [EngineRecovery(rig: rig), Foreground(rig: rig), Notices(rig: rig)]
    return pictures(rig) + controls(rig) + docks(rig) + TroubleScenario.all(rig: rig) + away + scans(rig) + [
      PeerPhoto(rig: rig)
    ]
  }

  private static func pictures(_ rig: Rig) -> [any Scenario] {
    [
      ProcessStart(rig: rig), PrewarmedStart(rig: rig), ShutterReady(rig: rig),
      LoadingState(),
      GlassToGlass(rig: rig), EngineShare(rig: rig),
      EngineShare(rig: rig, signal: .ultraHigh), PreviewTime(rig: rig), Pan(rig: rig),
      AnalysisRate(rig: rig), FourCameras(rig: rig),
      RotationMatrix(rig: rig), RotationTurn(rig: rig),
      PhotoFormats(rig: rig), PhotoFloor(rig: rig), PhotoGrowth(rig: rig), PreviewColors(rig: rig),
      PhotoCeiling(rig: rig), NearestFormat(rig: rig), SustainedPhotos(rig: rig),
      LookColors(rig: rig), LookFloor(rig: rig),
      RecordedVideo(rig: rig), RecordedRotation(rig: rig), SustainedRecording(rig: rig),
      KilledRecording(rig: rig),
    ]
  }

  private static func controls(_ rig: Rig) -> [any Scenario] {
    [
      HonestControls(rig: rig), ShutterPriority(rig: rig), FocusSequence(rig: rig), ZoomTrace(rig: rig),
      TapPlace(), LensSwitch(rig: rig), CommandOrder(rig: rig),
    ]
  }

  private static func docks(_ rig: Rig) -> [any Scenario] {
    [DockFollowing(rig: rig), DockLoss(rig: rig), DockMotion(rig: rig)]
  }

  private static func scans(_ rig: Rig) -> [any Scenario] {
    [
      ShelfToLibrary(rig: rig), BackendOutage(rig: rig), ScanningPreview(rig: rig), RecognitionTime(rig: rig),
      PhotoFrontier(rig: rig),
      KilledDelivery(rig: rig), DeliveryProtocol(rig: rig), LargeLibrary(rig: rig), LongQueue(rig: rig),
    ]
  }

  /// The scenarios that a sign-off repeats on its camera.
  public static let onCamera = CameraScenarios(
    foreground: { Foreground(rig: $0, rounds: $1, surface: $2, device: $3) },
    photos: { PhotoFormats(rig: $0, count: $1) })
}
