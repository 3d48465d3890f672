import ArgumentParser
import Foundation
import JSON
import RemoteControl

struct RemoteDock: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dock", abstract: "Operate a motorised dock.",
    usage: """
      swiftwing remote dock mode system|custom|manual
      swiftwing remote dock framing auto|center|left|right
      swiftwing remote dock move PAN TILT [--seconds N]
      swiftwing remote dock stop
      swiftwing remote dock select X Y|ID|none
      swiftwing remote dock roi X Y WIDTH HEIGHT|none
      swiftwing remote dock animate NAME
      swiftwing remote dock preset NAME [--save]
      swiftwing remote dock zoom FACTOR
      swiftwing remote dock feature NAME on|off
      """,
    discussion: """
      PAN and TILT are in radians per second, positive to the right and upwards; a move ends after \
      --seconds. Positions in the picture are 0 to 1 from the upper left corner.
      """)

  @Argument(help: ArgumentHelp("The action, such as mode.", valueName: "ACTION")) var action: String
  @Argument(help: ArgumentHelp("The values of the action.", valueName: "VALUE")) var values: [String] = []
  @Option(help: ArgumentHelp("The seconds to move, 0.1 to 60.", valueName: "N")) var seconds = 0.5
  @Flag(help: "Keep the present position under this name.") var save = false
  @OptionGroup var place: RemotePlace
  @Flag(help: "Print the answer as JSON.") var json = false

  func validate() throws {
    guard (0.1...60).contains(seconds) else {
      throw ValidationError("--seconds must be 0.1 to 60, not \(seconds)")
    }
    guard DockWords.call(action, values, save: save) != nil else {
      throw ValidationError(
        "dock \(action.prefix(40)) is not an action, or has the wrong values; the usage lists the actions")
    }
  }

  func run() throws {
    guard let call = DockWords.call(action, values, save: save) else { return }
    guard action == "move" else { return try call.run(at: place, json: json) }
    let link = try place.link()
    defer { link.end() }
    let end = ContinuousClock.now + .seconds(seconds)
    // The dock stops by itself unless the command is repeated within 250 ms.
    while ContinuousClock.now < end, try call.isAccepted(by: link) { usleep(100_000) }
    try RemoteCall(name: "dockStop").run(on: link, json: json)
  }
}

/// Translates the words for a dock on the command line into commands of the control channel.
enum DockWords {
  /// Translates an action.
  /// - Returns: nil if the action does not accept these values.
  static func call(_ action: String, _ values: [String], save: Bool) -> RemoteCall? {
    let numbers = values.compactMap { Double($0) }.filter(\.isFinite)
    let areNumbers = numbers.count == values.count
    func call(_ name: String, _ arguments: [String: JSONValue]) -> RemoteCall {
      RemoteCall(name: name, arguments: arguments)
    }
    switch (action, values.count) {
    case ("stop", 0): return call("dockStop", [:])
    case ("mode", 1): return call("dockMode", ["mode": .string(values[0])])
    case ("framing", 1): return call("dockFraming", ["framing": .string(values[0])])
    case ("move", 2) where areNumbers:
      return call("dockMove", ["pan": .number(numbers[0]), "tilt": .number(numbers[1])])
    case ("select", 1) where values[0] == "none": return call("dockSelect", ["none": .bool(true)])
    case ("select", 1): return call("dockSelect", ["id": .string(values[0])])
    case ("select", 2) where areNumbers:
      return call("dockSelect", ["x": .number(numbers[0]), "y": .number(numbers[1])])
    case ("roi", 1) where values[0] == "none": return call("dockROI", ["rect": .null])
    case ("roi", 4) where areNumbers:
      return call("dockROI", ["rect": .array(numbers.map { .number($0) })])
    case ("animate", 1): return call("dockAnimate", ["name": .string(values[0])])
    case ("preset", 1): return call("dockPreset", ["name": .string(values[0]), "save": .bool(save)])
    case ("zoom", 1) where areNumbers: return call("dockZoom", ["factor": .number(numbers[0])])
    case ("feature", 2) where ["on", "off"].contains(values[1]):
      return call("dockFeature", ["name": .string(values[0]), "on": .bool(values[1] == "on")])
    default: return nil
    }
  }
}
