package import Capture
package import JSON
import System

/// A command of the control channel, parsed and validated before any part of it takes effect.
package enum ViewfinderCommand: Equatable, Sendable {
  /// The codec is named as in `record --codec`. Nil takes the codec of the settings; if that is the default, a camera's Motion JPEG is copied and
  /// everything else is encoded as H.264.
  case startRecording(codec: String?)
  case stopRecording, takePhoto, unlockFocus, cancelZoom, pause, resume, retry
  /// A control of the camera, as the engine names it.
  case set(CameraControl, CameraControlValue)
  case setExposureBias(Double, isCommit: Bool)
  case lockExposure(Bool)
  case shutterPriority(Bool)
  /// A point of the upright picture without zoom, 0…1.
  case focus(x: Double, y: Double, locks: Bool)
  case rampZoom(to: Double)
  case selectLens(String)
  /// Values that are nil stay as they are. An empty name removes the look.
  case setLook(name: String?, isActive: Bool?, bakesIn: Bool?)
  case setTorch(Double)
  case selectFormat(width: Int, height: Int, rate: Double)
  case setSetting(key: String, value: JSONValue)
  case setOverlay(Bool)
  case readSpines(Bool)
  /// A correction of a book in the library. A value that is nil stays as it is; with neither, the book is confirmed.
  case editBook(id: Int64, title: String?, author: String?)
  case deletePhoto(String)
  case deleteRecording(String)
  /// The name of a file that was deleted by one of the two.
  case restore(String)
  /// From a page: ends its session, so that the page must be opened anew. From a program: ends the sessions of all pages.
  case logOut
  case dock(name: String, arguments: [String: JSONValue])

  /// - Throws: an error that describes the flaw in the name or the arguments.
  package init(_ name: String, _ arguments: [String: JSONValue]) throws(JSONError) {
    guard let name = ViewfinderCommandName(rawValue: name) else {
      throw JSONError(reason: "there is no command of this name; Schemas/viewfinder.schema.json lists them")
    }
    try self.init(name, arguments)
  }

  /// - Throws: an error that describes the flaw in the arguments.
  init(_ name: ViewfinderCommandName, _ arguments: [String: JSONValue]) throws(JSONError) {
    let fields = try JSONFields(.object(arguments))
    self =
      switch name {
      case .startRecording: .startRecording(codec: fields.has("codec") ? try fields.string("codec") : nil)
      case .stopRecording: .stopRecording
      case .takePhoto: .takePhoto
      case .setExposureBias: try Self.bias(fields)
      case .setISO: .set(.iso, .number(try fields.number("value", in: Self.any)))
      case .setShutter: try Self.shutter(fields)
      case .setExposureMode: .set(.exposureMode, .choice(try fields.string("mode")))
      case .lockExposure: .lockExposure(try fields.bool("on"))
      case .shutterPriority: .shutterPriority(try fields.bool("on"))
      case .setWhiteBalance: try Self.whiteBalance(fields)
      case .setTint: .set(.tint, .number(try fields.number("value", in: Self.any)))
      case .focus: try Self.focus(fields)
      case .unlockFocus: .unlockFocus
      case .setZoom: try Self.zoom(fields)
      case .cancelZoom: .cancelZoom
      case .selectLens: .selectLens(try fields.string("id"))
      case .setLook: try Self.look(fields)
      case .setTorch: .setTorch(try fields.number("level", in: Self.any))
      case .setStabilization: .set(.stabilization, .flag(try fields.bool("on")))
      case .selectFormat: try Self.format(fields)
      case .setSetting: try Self.setting(fields)
      case .setOverlay: .setOverlay(try fields.bool("visible"))
      case .readSpines: .readSpines(try fields.bool("on"))
      case .editBook: try Self.edit(fields)
      case .deletePhoto: .deletePhoto(try fields.string("name"))
      case .deleteRecording: .deleteRecording(try fields.string("name"))
      case .restore: .restore(try fields.string("name"))
      case .pause: .pause
      case .resume: .resume
      case .retry: .retry
      case .logOut: .logOut
      case .dockMove, .dockStop, .dockMode, .dockFraming, .dockROI, .dockSelect, .dockAnimate, .dockPreset,
        .dockZoom, .dockFeature:
        .dock(name: name.rawValue, arguments: arguments)
      }
  }

  /// A range that no camera control exceeds. The camera clamps to its own range, and reports that.
  private static let any = -1e9...1e9

  private static func bias(_ fields: JSONFields) throws(JSONError) -> ViewfinderCommand {
    let phase = fields.has("phase") ? try fields.string("phase") : "commit"
    guard phase == "preview" || phase == "commit" else {
      throw fields.complaint("phase", "must be preview or commit")
    }
    return .setExposureBias(try fields.number("value", in: any), isCommit: phase == "commit")
  }

  private static func shutter(_ fields: JSONFields) throws(JSONError) -> ViewfinderCommand {
    guard fields.has("angle") else {
      return .set(.exposureDuration, .number(try fields.number("duration", in: any)))
    }
    return .set(.shutterAngle, .number(try fields.number("angle", in: any)))
  }

  private static func whiteBalance(_ fields: JSONFields) throws(JSONError) -> ViewfinderCommand {
    guard fields.has("temperature") else {
      return .set(.whiteBalanceMode, .choice(try fields.string("mode")))
    }
    return .set(.whiteBalanceTemperature, .number(try fields.number("temperature", in: any)))
  }

  private static func focus(_ fields: JSONFields) throws(JSONError) -> ViewfinderCommand {
    .focus(
      x: try fields.number("x", in: any), y: try fields.number("y", in: any),
      locks: fields.has("lock") ? try fields.bool("lock") : false)
  }

  private static func zoom(_ fields: JSONFields) throws(JSONError) -> ViewfinderCommand {
    let factor = try fields.number("factor", in: any)
    let ramps = fields.has("ramp") ? try fields.bool("ramp") : false
    return ramps ? .rampZoom(to: factor) : .set(.zoom, .number(factor))
  }

  private static func look(_ fields: JSONFields) throws(JSONError) -> ViewfinderCommand {
    // A null name removes the look; a missing name keeps it.
    let name = fields.members["name"]
    return .setLook(
      name: name == .null ? "" : name == nil ? nil : try fields.string("name"),
      isActive: fields.has("active") ? try fields.bool("active") : nil,
      bakesIn: fields.has("bakesIn") ? try fields.bool("bakesIn") : nil)
  }

  private static func edit(_ fields: JSONFields) throws(JSONError) -> ViewfinderCommand {
    .editBook(
      id: try fields.integer("id", in: 1...Int64.max),
      title: fields.has("title") ? try fields.string("title") : nil,
      author: fields.has("author") ? try fields.string("author") : nil)
  }

  private static func format(_ fields: JSONFields) throws(JSONError) -> ViewfinderCommand {
    .selectFormat(
      width: try fields.integer("width", in: 1...65_536),
      height: try fields.integer("height", in: 1...65_536),
      rate: try fields.number("rate", in: 0.001...10_000))
  }

  private static func setting(_ fields: JSONFields) throws(JSONError) -> ViewfinderCommand {
    guard let value = fields.members["value"] else { throw fields.complaint("value", "is missing") }
    return .setSetting(key: try fields.string("key"), value: value)
  }
}

/// The names of all commands on the control channel. The compiler reports where a new command must be parsed, performed and refused; the
/// schema has its arguments under `command.NAME`.
package enum ViewfinderCommandName: String, CaseIterable, Sendable {
  case startRecording, stopRecording, takePhoto
  case setExposureBias, setISO, setShutter, setExposureMode, lockExposure, shutterPriority
  case setWhiteBalance, setTint, focus, unlockFocus, setZoom, cancelZoom, selectLens
  case setLook, setTorch, setStabilization, selectFormat, setSetting, setOverlay, readSpines, editBook
  case deletePhoto, deleteRecording, restore
  case pause, resume, retry, logOut
  case dockMove, dockStop, dockMode, dockFraming, dockROI, dockSelect, dockAnimate, dockPreset, dockZoom,
    dockFeature
}

package enum CommandOutcome: Equatable, Sendable {
  case accepted([String: JSONValue] = [:])
  /// Refused, with the reason in one sentence.
  case refused(String)
}
