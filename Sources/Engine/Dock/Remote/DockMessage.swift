package import JSON

extension DockCommand {
  /// Parses a command of a viewfinder's control channel, such as `dockMove`.
  /// - Throws: an error about the name or the arguments.
  package init(_ name: String, _ arguments: [String: JSONValue]) throws(JSONError) {
    guard let name = DockCommandName(rawValue: name) else {
      throw JSONError(reason: "there is no command of this name")
    }
    let fields = try JSONFields(.object(arguments))
    switch name {
    case .dockMove:
      self = .move(
        DockAngles(pan: try fields.number("pan", in: -10...10), tilt: try fields.number("tilt", in: -10...10))
      )
    case .dockStop: self = .stop
    case .dockMode: self = .mode(try fields.choice("mode"))
    case .dockFraming: self = .framing(try fields.choice("framing"))
    case .dockROI: self = .regionOfInterest(try Self.rect(fields))
    case .dockSelect: self = try Self.selection(fields)
    case .dockAnimate: self = .animate(try fields.string("name"))
    case .dockPreset:
      self = .preset(try fields.string("name"), saves: fields.has("save") ? try fields.bool("save") : false)
    case .dockZoom: self = try Self.zoom(fields)
    case .dockFeature: self = .feature(try fields.choice("name"), isOn: try fields.bool("on"))
    }
  }

  private static func rect(_ fields: JSONFields) throws(JSONError) -> DockRect? {
    guard fields.has("rect") else { return nil }
    let numbers = try fields.array("rect", atMost: 4).compactMap { value -> Double? in
      switch value {
      case .integer(let whole): Double(whole)
      case .number(let number): number
      case .null, .bool, .string, .array, .object: nil
      }
    }
    guard numbers.count == 4 else { throw fields.complaint("rect", "must be four numbers, or null") }
    return DockRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  private static func selection(_ fields: JSONFields) throws(JSONError) -> DockCommand {
    if fields.has("id") { return .select(try fields.integer("id", in: 0...Int(Int32.max))) }
    guard fields.has("x") || fields.has("y") else { return .clearSelection }
    return .selectPoint(
      DockPoint(x: try fields.number("x", in: 0...1), y: try fields.number("y", in: 0...1)))
  }

  private static func zoom(_ fields: JSONFields) throws(JSONError) -> DockCommand {
    if fields.has("factor") { return .zoom(try fields.number("factor", in: 0.01...1000)) }
    return .zoomBy(try fields.number("direction", in: -10...10))
  }
}

/// The commands of a dock by their names on the control channel.
package enum DockCommandName: String, CaseIterable, Sendable {
  case dockMove, dockStop, dockMode, dockFraming, dockROI, dockSelect, dockAnimate, dockPreset, dockZoom,
    dockFeature
}
