import ArgumentParser
import Capture
import Console
import Harness
import System

struct ControlsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "controls",
    abstract: "Operate a camera: exposure, white balance, focus, zoom, light.",
    discussion: """
      Values are read back from the device: the printed value is the one that the device took. Several \
      values are set with one request. A preset stores values, for every camera of the same driver and name.
      """,
    subcommands: [
      ControlsList.self, ControlsGet.self, ControlsSet.self, ControlsWatch.self, ControlsSave.self,
      ControlsApply.self, ControlsPresets.self, ControlsForget.self,
    ])
}

/// The option that chooses the camera.
struct ControlsSource: ParsableArguments {
  @Option(
    help: ArgumentHelp("The camera to operate; by default the first one.", valueName: "SRC"))
  var source: String?

  /// Returns a command line for that camera, to be copied.
  func command(_ words: String) -> String {
    (["swiftwing controls", words] + (source.map { [ShellCommand.option("--source", $0)] } ?? [])).joined(
      separator: " ")
  }

  /// Returns the source.
  /// - Throws: `Failure` if there is no camera.
  func named() throws -> String {
    if let source { return source }
    guard let first = try ConnectedCamera.list().first else {
      throw Failure("there is no camera; plug one in, or name a source with --source", .sourceUnavailable)
    }
    return first.path
  }
}

struct ControlsList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Print every control of a camera: its value, its range, or the reason why it is missing.")

  @OptionGroup var source: ControlsSource
  @Flag(help: "Print JSON.") var json = false

  func run() async throws {
    let state = try await CommandCamera.use(source.named(), isStreaming: false) { await $0.readControls() }
    if json { return try Terminal.say(json: state) }
    let present = state.capabilities.filter(\.isPresent)
    for capability in present + state.capabilities.filter({ !$0.isPresent }) {
      Terminal.say(ControlText.line(capability, state.values[capability.control]))
    }
    if present.isEmpty { Terminal.tell("note: this camera has no controls") }
  }
}

struct ControlsGet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Print the values of controls, as the device has them.")

  @Argument(help: ArgumentHelp("Names of controls, as `controls list` shows them.", valueName: "NAME"))
  var names: [String]
  @OptionGroup var source: ControlsSource
  @Flag(help: "Print JSON.") var json = false

  func run() async throws {
    let state = try await CommandCamera.use(source.named(), isStreaming: false) { await $0.readControls() }
    let asked = try names.map { try ControlText.capability($0, of: state.capabilities) }
    for capability in asked {
      if let absence = capability.absence {
        throw Failure(
          "cannot read \(capability.control): \(absence); `swiftwing controls list` shows the others", .failed
        )
      }
    }
    let values = Dictionary(
      asked.compactMap { asked in state.values[asked.control].map { (asked.control, $0) } },
      uniquingKeysWith: { first, _ in first })
    if json { return try Terminal.say(json: values) }
    for capability in asked {
      let value = values[capability.control].map { ControlNumber.text($0, capability) }
      Terminal.say("\(capability.control) \(value ?? "–")")
    }
  }
}

struct ControlsSet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set controls, all at once, and print the values that the device took.",
    discussion: """
      A value outside of the range is clamped, one between two steps is rounded to the nearer. A value that \
      needs a mode switches to that mode: iso=400 makes the exposure manual. Exit status 1 if a control was \
      not set.
      """)

  @Argument(help: ArgumentHelp("NAME=VALUE, such as iso=400 or focus-point=0.5,0.25.", valueName: "SETTING"))
  var settings: [String]
  @OptionGroup var source: ControlsSource
  @Flag(help: "Print JSON.") var json = false

  func validate() throws {
    guard (1...64).contains(settings.count) else { throw ValidationError("name 1 to 64 settings") }
  }

  func run() async throws {
    let settings = settings
    let results = try await CommandCamera.use(source.named(), isStreaming: false) { camera in
      let known = await camera.readControls().capabilities
      let values = try settings.map { try ControlText.setting($0, of: known) }
      return await camera.session.set(values)
    }
    try ControlsReport.tell(results, json: json)
  }
}

/// Prints the results of setting controls, for a person or a program.
enum ControlsReport {
  /// Prints results.
  /// - Throws: exit status 1 if a control was not set.
  static func tell(_ results: [CameraControlResult], json: Bool) throws {
    if json { try Terminal.say(json: results) }
    for result in results where !json && result.refusal == nil { Terminal.say(ControlText.line(result)) }
    tellRefusals(results)
    if results.contains(where: { $0.refusal != nil }) { throw ExitCode(.failed) }
  }

  static func tellRefusals(_ results: [CameraControlResult]) {
    for result in results where result.refusal != nil {
      Terminal.tell("swiftwing: \(ControlText.line(result))")
    }
  }
}

struct ControlsWatch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print the controls of a camera as they change, until ^C.",
    discussion: """
      The camera streams meanwhile, so that its automatic controls work. The values of --preset are set at \
      the start, and again whenever the camera returns after it was unplugged or reset.
      """)

  @OptionGroup var source: ControlsSource
  @Option(
    help: ArgumentHelp("A preset to apply, and to apply again when the camera returns.", valueName: "NAME"))
  var preset: String?
  @Flag(help: "Print one JSON object a line.") var json = false

  func run() async throws {
    let (preset, json) = (preset, json)
    try await CommandCamera.use(source.named()) { camera in
      // Values that this camera does not have are reported, and the others are applied.
      if let preset { ControlsReport.tellRefusals(try await camera.apply(preset)) }
      var last = ControlsState()
      _ = await camera.readControls()
      for await state in await camera.session.controlStates() where state != last {
        if json { try Terminal.say(line: state) } else { Self.tell(state, after: last) }
        last = state
      }
      try Task.checkCancellation()
    }
  }

  private static func tell(_ state: ControlsState, after last: ControlsState) {
    for (control, value) in state.values.sorted(by: { $0.key < $1.key }) where last.values[control] != value {
      Terminal.say("\(control) \(ControlNumber.text(value, state.capability(control)))")
    }
    for finding in state.findings where !last.findings.contains(finding) { Terminal.tell("note: \(finding)") }
  }
}

extension CommandCamera {
  /// Reads the camera's capabilities and values from the device.
  func readControls() async -> ControlsState {
    // Sets nothing, but makes the session read the controls.
    await session.set([])
    return await session.controls
  }
}
