import Imagery
import Video4Linux

/// The route of a picture to a display: the connector, its mode, and its CRTC.
struct DisplayRoute {
  let connector: UInt32
  let crtc: UInt32
  let mode: DisplayMode

  /// Chooses the first connector with a display.
  init(driver: any DisplayDriver, size: PixelSize?) throws(DisplayError) {
    let resources = try Self.resources(driver)
    do throws(Errno) {
      guard let (id, facts) = try Self.connected(driver, resources) else { throw .noLink }
      guard let mode = DisplayMode.choose(from: facts.modes, size: size) else { throw .outOfRange }
      guard let crtc = try Self.crtc(driver, resources, facts: facts) else { throw .noBufferSpace }
      connector = id
      self.crtc = crtc
      self.mode = mode
    } catch {
      throw Self.error(driver.path, size, reason: error)
    }
  }

  private static func resources(_ driver: any DisplayDriver) throws(DisplayError) -> DisplayResources {
    do throws(Errno) {
      let abilities = try driver.abilities()
      guard abilities.showsDumbBuffers, abilities.stampsMonotonic else { throw .notSupported }
      return try driver.resources()
    } catch {
      throw DisplayError("show pictures on \(driver.path)", error)
    }
  }

  private static func error(_ path: String, _ size: PixelSize?, reason: Errno) -> DisplayError {
    switch reason {
    case .noLink:
      DisplayError(.noConnector, "nothing is plugged into \(path); plug a display in, or use another card")
    case .outOfRange:
      DisplayError(
        .noMode,
        "the display on \(path) has no mode of \(size.map { "\($0)" } ?? "known timings"); leave the size out to use its preferred mode"
      )
    case .noBufferSpace:
      DisplayError(
        .cannotShow, "no output of \(path) can drive the display that is plugged in; use another card")
    default: DisplayError("find the display on \(path)", reason)
    }
  }

  private static func connected(
    _ driver: any DisplayDriver, _ resources: DisplayResources
  ) throws(Errno) -> (UInt32, ConnectorFacts)? {
    for id in resources.connectors {
      let facts = try driver.connector(id)
      if facts.isConnected { return (id, facts) }
    }
    return nil
  }

  /// The CRTC that already drives the connector; otherwise the first CRTC that can drive it.
  private static func crtc(
    _ driver: any DisplayDriver, _ resources: DisplayResources, facts: ConnectorFacts
  ) throws(Errno) -> UInt32? {
    if facts.encoder != 0 {
      let crtc = try driver.encoder(facts.encoder).crtc
      if resources.crtcs.contains(crtc) { return crtc }
    }
    for id in facts.encoders {
      let possible = try driver.encoder(id).possibleCRTCs
      for (place, crtc) in resources.crtcs.prefix(32).enumerated() where possible >> UInt32(place) & 1 == 1 {
        return crtc
      }
    }
    return nil
  }
}
