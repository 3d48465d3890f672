import ArgumentParser
import JSON

struct RemoteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remote", abstract: "Operate a viewfinder that `swiftwing view --serve` shows.",
    discussion: """
      A viewfinder that this user runs on this machine is found without options. A viewfinder on another \
      machine needs --url and the --pin of its certificate, as `view --serve --listen` printed them, and its \
      token in SWIFTWING_TOKEN or in the file of --token-file.

      Exit status: 0 if the command was accepted, 1 if it was refused, with the reason, 4 if no viewfinder \
      runs.
      """,
    subcommands: [
      RemoteStatus.self, RemoteWatch.self, RemoteRecord.self, RemoteShutter.self, RemoteBias.self,
      RemoteFocus.self, RemoteZoom.self, RemoteDock.self, RemoteSend.self, RemoteLogOut.self,
    ])
}

enum RecordAction: String, ExpressibleByArgument, CaseIterable {
  case start, stop
}

struct RemoteRecord: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Start or stop a recording.",
    usage: RemotePlace.usage("record start|stop"))

  @Argument(help: ArgumentHelp("start or stop.", valueName: "start|stop")) var action: RecordAction
  @OptionGroup var place: RemotePlace
  @Flag(help: "Print the answer as JSON.") var json = false

  func run() throws {
    try RemoteCall(name: action == .start ? "startRecording" : "stopRecording").run(at: place, json: json)
  }
}

struct RemoteShutter: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shutter", abstract: "Take a photo.",
    usage: RemotePlace.usage("shutter"))

  @OptionGroup var place: RemotePlace
  @Flag(help: "Print the answer as JSON.") var json = false

  func run() throws { try RemoteCall(name: "takePhoto").run(at: place, json: json) }
}

struct RemoteBias: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ev", abstract: "Set the exposure bias.",
    usage: RemotePlace.usage("ev VALUE"))

  @Argument(
    help: ArgumentHelp("The bias in EV, such as -0.7; the camera's nearest value is set.", valueName: "VALUE")
  )
  var value: Double
  @OptionGroup var place: RemotePlace
  @Flag(help: "Print the answer as JSON.") var json = false

  func run() throws {
    try RemoteCall(
      name: "setExposureBias", arguments: ["value": .number(value), "phase": .string("commit")]
    ).run(at: place, json: json)
  }
}

struct RemoteFocus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "focus", abstract: "Focus at a point of the picture.",
    usage: RemotePlace.usage("focus X Y [--lock]"))

  @Argument(
    help: ArgumentHelp("The horizontal position: 0 is the left edge, 1 the right edge.", valueName: "X"))
  var x: Double
  @Argument(
    help: ArgumentHelp("The vertical position: 0 is the upper edge, 1 the lower edge.", valueName: "Y"))
  var y: Double
  @Flag(help: "Hold the focus once it is reached.") var lock = false
  @OptionGroup var place: RemotePlace
  @Flag(help: "Print the answer as JSON.") var json = false

  func validate() throws {
    guard (0...1).contains(x), (0...1).contains(y) else {
      throw ValidationError("X and Y must be 0 to 1, from the upper left corner, not \(x) and \(y)")
    }
  }

  func run() throws {
    try RemoteCall(
      name: "focus", arguments: ["x": .number(x), "y": .number(y), "lock": .bool(lock)]
    ).run(at: place, json: json)
  }
}

struct RemoteZoom: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "zoom", abstract: "Set the zoom.",
    usage: RemotePlace.usage("zoom FACTOR [--ramp]"))

  @Argument(help: ArgumentHelp("The zoom factor; 1 shows the whole picture.", valueName: "FACTOR"))
  var factor: Double
  @Flag(help: "Zoom evenly, not at once.") var ramp = false
  @OptionGroup var place: RemotePlace
  @Flag(help: "Print the answer as JSON.") var json = false

  func run() throws {
    try RemoteCall(
      name: "setZoom", arguments: ["factor": .number(factor), "ramp": .bool(ramp)]
    ).run(at: place, json: json)
  }
}

struct RemoteSend: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Send any command of the control channel.",
    usage: RemotePlace.usage("send COMMAND [JSON]"),
    discussion: """
      Example: swiftwing remote send setISO '{"value":400}'. The commands and their arguments are in \
      Schemas/viewfinder.schema.json.
      """)

  @Argument(help: ArgumentHelp("The name of the command, such as setISO.", valueName: "COMMAND")) var command:
    String
  @Argument(help: ArgumentHelp("Its arguments, as a JSON object.", valueName: "JSON")) var arguments = "{}"
  @OptionGroup var place: RemotePlace
  @Flag(help: "Print the answer as JSON.") var json = false

  func validate() throws { _ = try members() }

  func run() throws { try RemoteCall(name: command, arguments: try members()).run(at: place, json: json) }

  private func members() throws -> [String: JSONValue] {
    do {
      guard case .object(let members) = try JSONParser.parse(Array(arguments.utf8)) else {
        throw ValidationError("JSON must be an object, such as '{\"value\":400}'")
      }
      return members
    } catch let error as JSONError {
      throw ValidationError(
        "the JSON of the command cannot be read: \(error.reason); write an object such as '{\"value\":400}'")
    }
  }
}

struct RemoteLogOut: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Log every page out; each must be opened again.",
    usage: RemotePlace.usage("logout"))

  @OptionGroup var place: RemotePlace
  @Flag(help: "Print the answer as JSON.") var json = false

  func run() throws { try RemoteCall(name: "logOut").run(at: place, json: json) }
}
