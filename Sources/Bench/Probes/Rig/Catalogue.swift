/// The scenarios that there are. Each room of scenarios adds its own, and shows nothing else: `Catalogue.engine(_:)` is in
/// `EngineScenarios`, `Catalogue.devices(_:)` in `DeviceScenarios`.
public enum Catalogue {}
