/// The scenarios that there are. Each room of scenarios adds its own, and shows nothing else: `ScenarioCatalogue.engine(_:)` is in
/// `EngineScenarios`, `ScenarioCatalogue.devices(_:)` in `DeviceScenarios`.
public enum ScenarioCatalogue {}
