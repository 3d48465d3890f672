/// The available scenarios. Each module of scenarios extends this type: `EngineScenarios` with
/// `ScenarioCatalogue.engine(_:)`, `DeviceScenarios` with `ScenarioCatalogue.devices(_:)`.
public enum ScenarioCatalogue {}
