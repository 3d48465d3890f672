package import Harness
package import Imagery

/// Scenarios of the engine that are repeated on the one camera that is being qualified. The room that has them makes them
/// (`Catalogue.onCamera`), so that the sign-off depends on no scenarios.
public struct CameraScenarios: Sendable {
  /// What the device itself takes to its first frame: milliseconds, one a start.
  package typealias DeviceStarts = @Sendable () async throws -> [Double]

  /// Going to the background and coming back: so many rounds, shown on a surface of that size.
  package let foreground:
    @Sendable (_ rig: Rig, _ rounds: Int, _ surface: PixelSize, _ device: @escaping DeviceStarts) ->
      any Scenario
  /// So many photos in the rig's format.
  package let photos: @Sendable (_ rig: Rig, _ count: Int) -> any Scenario

  package init(
    foreground: @escaping @Sendable (Rig, Int, PixelSize, @escaping DeviceStarts) -> any Scenario,
    photos: @escaping @Sendable (Rig, Int) -> any Scenario
  ) {
    self.foreground = foreground
    self.photos = photos
  }
}
