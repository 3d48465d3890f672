package import Harness
package import Imagery

/// Scenarios of the engine that are repeated on the camera being qualified. The module `EngineScenarios` creates them
/// (`ScenarioCatalogue.onCamera`), so that `Qualification` does not depend on that module.
public struct CameraScenarios: Sendable {
  /// A function that starts the device without the engine, once, and returns the milliseconds to its first frame.
  package typealias DeviceStarting = @Sendable () async throws -> Double

  /// A function that creates a scenario that goes to the background and comes back `rounds` times, shown on a surface of size `surface`.
  package let foreground:
    @Sendable (_ rig: Rig, _ rounds: Int, _ surface: PixelSize, _ device: @escaping DeviceStarting) ->
      any Scenario
  /// A function that creates a scenario that takes `count` photos in the rig's format.
  package let photos: @Sendable (_ rig: Rig, _ count: Int) -> any Scenario

  package init(
    foreground: @escaping @Sendable (Rig, Int, PixelSize, @escaping DeviceStarting) -> any Scenario,
    photos: @escaping @Sendable (Rig, Int) -> any Scenario
  ) {
    self.foreground = foreground
    self.photos = photos
  }
}
