package import Harness
package import Imagery

/// Scenarios of the engine that are repeated on the one camera that is being qualified. The room that has them makes them
/// (`ScenarioCatalogue.onCamera`), so that the sign-off depends on no scenarios.
public struct CameraScenarios: Sendable {
  /// Starts the device by itself, once: what it takes to its first frame, in milliseconds.
  package typealias DeviceStarting = @Sendable () async throws -> Double

  /// Going to the background and coming back: so many rounds, shown on a surface of that size.
  package let foreground:
    @Sendable (_ rig: Rig, _ rounds: Int, _ surface: PixelSize, _ device: @escaping DeviceStarting) ->
      any Scenario
  /// So many photos in the rig's format.
  package let photos: @Sendable (_ rig: Rig, _ count: Int) -> any Scenario

  package init(
    foreground: @escaping @Sendable (Rig, Int, PixelSize, @escaping DeviceStarting) -> any Scenario,
    photos: @escaping @Sendable (Rig, Int) -> any Scenario
  ) {
    self.foreground = foreground
    self.photos = photos
  }
}
