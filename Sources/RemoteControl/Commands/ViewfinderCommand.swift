package import JSON

/// A command of the control channel, read and checked: nothing of a command that is refused takes effect.
package enum ViewfinderCommand: Equatable, Sendable {
  /// With a codec as `record --codec` names it; nil takes that of the settings, and where they have their default copies a camera's Motion JPEG
  /// and encodes all else as H.264.
  case startRecording(codec: String?)
  case stopRecording, takePhoto, unlockFocus, cancelZoom, pause, resume, retry
  case setExposureBias(Double, isCommit: Bool)
  case setISO(Double)
  case setShutter(duration: Double)
  case setShutterAngle(Double)
  case setExposureMode(String)
  case lockExposure(Bool)
  case shutterPriority(Bool)
  case setTemperature(Double)
  case setWhiteBalanceMode(String)
  case setTint(Double)
  /// In the upright picture as it is shown without zoom, 0…1.
  case focus(x: Double, y: Double, locks: Bool)
  case setZoom(Double, ramps: Bool)
  case selectLens(String)
  /// What is nil stays as it is; an empty name is none.
  case setLook(name: String?, isActive: Bool?, bakesIn: Bool?)
  case setTorch(Double)
  case setStabilization(Bool)
  case selectFormat(width: Int, height: Int, rate: Double)
  case setSetting(key: String, value: JSONValue)
  case setOverlay(Bool)
  case readSpines(Bool)
  case deleteRecording(String)
  case dock(name: String, arguments: [String: JSONValue])

  /// - Throws: what is wrong with the name or the arguments.
  package init(_ name: String, _ arguments: [String: JSONValue]) throws(JSONError) {
    let fields = try JSONFields(.object(arguments))
    if name.hasPrefix("dock") {
      self = .dock(name: name, arguments: arguments)
    } else if let plain = Self.plain[name] {
      self = plain
    } else if let exposure = try Self.exposure(name, fields) {
      self = exposure
    } else if let picture = try Self.picture(name, fields) {
      self = picture
    } else if let other = try Self.choice(name, fields) {
      self = other
    } else {
      throw JSONError(reason: "there is no command of this name")
    }
  }

  private static let plain: [String: ViewfinderCommand] = [
    "stopRecording": .stopRecording, "takePhoto": .takePhoto,
    "unlockFocus": .unlockFocus, "cancelZoom": .cancelZoom, "pause": .pause, "resume": .resume,
    "retry": .retry,
  ]
  /// What no control of a camera exceeds. The camera clamps to its own range, and says so.
  private static let any = -1e9...1e9

  private static func exposure(_ name: String, _ fields: JSONFields) throws(JSONError) -> ViewfinderCommand? {
    switch name {
    case "setExposureBias":
      let phase = fields.has("phase") ? try fields.string("phase") : "commit"
      guard phase == "preview" || phase == "commit" else {
        throw fields.complaint("phase", "must be preview or commit")
      }
      return .setExposureBias(try fields.number("value", in: any), isCommit: phase == "commit")
    case "setISO": return .setISO(try fields.number("value", in: any))
    case "setShutter":
      guard fields.has("angle") else { return .setShutter(duration: try fields.number("duration", in: any)) }
      return .setShutterAngle(try fields.number("angle", in: any))
    case "setExposureMode": return .setExposureMode(try fields.string("mode"))
    case "lockExposure": return .lockExposure(try fields.bool("on"))
    case "shutterPriority": return .shutterPriority(try fields.bool("on"))
    case "setWhiteBalance":
      guard fields.has("temperature") else { return .setWhiteBalanceMode(try fields.string("mode")) }
      return .setTemperature(try fields.number("temperature", in: any))
    case "setTint": return .setTint(try fields.number("value", in: any))
    default: return nil
    }
  }

  private static func picture(_ name: String, _ fields: JSONFields) throws(JSONError) -> ViewfinderCommand? {
    switch name {
    case "focus":
      return .focus(
        x: try fields.number("x", in: any), y: try fields.number("y", in: any),
        locks: fields.has("lock") ? try fields.bool("lock") : false)
    case "setZoom":
      return .setZoom(
        try fields.number("factor", in: any), ramps: fields.has("ramp") ? try fields.bool("ramp") : false)
    case "selectLens": return .selectLens(try fields.string("id"))
    case "setLook":
      // A name that is null is no look; one that is missing stays.
      let name = fields.members["name"]
      return .setLook(
        name: name == .null ? "" : name == nil ? nil : try fields.string("name"),
        isActive: fields.has("active") ? try fields.bool("active") : nil,
        bakesIn: fields.has("bakesIn") ? try fields.bool("bakesIn") : nil)
    case "setTorch": return .setTorch(try fields.number("level", in: any))
    case "setStabilization": return .setStabilization(try fields.bool("on"))
    case "selectFormat":
      return .selectFormat(
        width: try fields.integer("width", in: 1...65_536),
        height: try fields.integer("height", in: 1...65_536),
        rate: try fields.number("rate", in: 0.001...10_000))
    default: return nil
    }
  }

  private static func choice(_ name: String, _ fields: JSONFields) throws(JSONError) -> ViewfinderCommand? {
    switch name {
    case "startRecording":
      return .startRecording(codec: fields.has("codec") ? try fields.string("codec") : nil)
    case "setSetting":
      guard let value = fields.members["value"] else { throw fields.complaint("value", "is missing") }
      return .setSetting(key: try fields.string("key"), value: value)
    case "setOverlay": return .setOverlay(try fields.bool("visible"))
    case "readSpines": return .readSpines(try fields.bool("on"))
    case "deleteRecording": return .deleteRecording(try fields.string("name"))
    default: return nil
    }
  }
}

/// What became of a command.
package enum CommandOutcome: Equatable, Sendable {
  case accepted([String: JSONValue] = [:])
  /// One sentence.
  case refused(String)
}
