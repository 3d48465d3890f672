/// The available scenarios. Each module of scenarios extends this type and exposes nothing else: `ScenarioCatalogue.engine(_:)` is in
/// `EngineScenarios`, `ScenarioCatalogue.devices(_:)` in `DeviceScenarios`.
public enum ScenarioCatalogue {}
