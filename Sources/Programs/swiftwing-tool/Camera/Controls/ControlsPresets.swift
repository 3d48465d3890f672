import ArgumentParser
import Capture
import Console
import Harness
import JSON
import Settings

/// The key of a camera's presets. All cameras with the same driver and name share them.
extension CameraDescription {
  var presetKey: String { "\(driver): \(name)" }
}

struct ControlsSave: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Save the present settings of a camera as a preset.",
    discussion:
      "Saves the controls that can be set and are not automatic now, in presets.json beside the settings.")

  @Argument(help: ArgumentHelp("The name of the preset.", valueName: "NAME")) var name: String
  @OptionGroup var source: ControlsSource
  @Flag(help: "Print JSON.") var json = false

  func run() async throws {
    let name = name
    let kept = try await CommandCamera.use(source.named(), isStreaming: false) { camera in
      let values = await camera.readControls().settable
      try PresetFile().save(values.json, as: name, of: camera.description.presetKey)
      return values
    }
    if json { return try Terminal.say(json: kept) }
    Terminal.say("\(name): \(ControlText.line(kept))")
  }
}

struct ControlsApply: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Apply a preset to a camera, and print the values that the device took.")

  @Argument(help: ArgumentHelp("The name of the preset.", valueName: "NAME")) var name: String
  @OptionGroup var source: ControlsSource
  @Flag(help: "Print JSON.") var json = false

  func run() async throws {
    let name = name
    let results = try await CommandCamera.use(source.named(), isStreaming: false) { try await $0.apply(name) }
    try ControlsReport.tell(results, json: json)
  }
}

struct ControlsPresets: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets", abstract: "List the presets of a camera.")

  @OptionGroup var source: ControlsSource
  @Flag(help: "Print JSON.") var json = false

  func run() async throws {
    let presets = try await CommandCamera.use(source.named(), isStreaming: false) { camera in
      try PresetFile().presets(of: camera.description.presetKey)
    }
    let values = presets.mapValues { $0.compactMapValues { CameraControlValue($0) } }
    if json { return try Terminal.say(json: values) }
    for (name, values) in values.sorted(by: { $0.key < $1.key }) {
      Terminal.say("\(name): \(ControlText.line(values))")
    }
    if presets.isEmpty {
      Terminal.tell("note: this camera has no presets; save one with `\(source.command("save NAME"))`")
    }
  }
}

struct ControlsForget: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Remove a preset of a camera.")

  @Argument(help: ArgumentHelp("The name of the preset.", valueName: "NAME")) var name: String
  @OptionGroup var source: ControlsSource

  func run() async throws {
    let name = name
    let wasThere = try await CommandCamera.use(source.named(), isStreaming: false) { camera in
      try PresetFile().remove(name, of: camera.description.presetKey)
    }
    guard wasThere else {
      throw Failure(
        "there is no preset \(name.prefix(64)) of this camera; `swiftwing controls presets` lists them",
        .usage)
    }
    Terminal.say("\(name) is forgotten")
  }
}

extension CommandCamera {
  /// Applies a preset. The session keeps its values as requests, and sets them again when the camera returns.
  func apply(_ preset: String) async throws -> [CameraControlResult] {
    let presets = try PresetFile().presets(of: description.presetKey)
    guard let values = presets[preset] else {
      let names = presets.keys.sorted().joined(separator: ", ")
      throw Failure(
        "there is no preset \(preset.prefix(64)) of this camera; "
          + (names.isEmpty ? "save one with `swiftwing controls save NAME`" : "there are \(names)"),
        .usage)
    }
    let wishes = try values.sorted { $0.key < $1.key }.map { name, value in
      guard let wish = CameraControlValue(value) else {
        throw Failure(
          "cannot apply the preset \(preset.prefix(64)): it sets \(name.prefix(60)) to \(value.brief), which no control takes; save it again",
          .usage)
      }
      return (control: CameraControl(rawValue: name), value: wish)
    }
    return await session.set(wishes)
  }
}

extension ControlsState {
  /// The values that a preset stores: those that can be set and have an effect now. Momentary values, values that follow from other values,
  /// and the dynamic range, which the settings choose, are not stored.
  var settable: [CameraControl: CameraControlValue] {
    let unkept: Set<CameraControl> = [.torch, .exposureLock, .focusPoint, .shutterAngle, .wideDynamicRange]
    // The camera itself changes these values in automatic mode, in which they are inactive. A preset must store them in manual mode.
    let modal: Set<CameraControl> = [
      .exposureDuration, .iso, .whiteBalanceTemperature, .tint, .redGain, .blueGain, .lensPosition,
    ]
    return values.filter { control, _ in
      guard let capability = capability(control), !unkept.contains(control) else { return false }
      if control == .tint, capability.origin != .device { return false }
      return capability.isSettable && !capability.isInactive
        && (modal.contains(control) || !capability.isVolatile)
    }
  }
}

extension [CameraControl: CameraControlValue] {
  var json: PresetFile.Values {
    [String: JSONValue](uniqueKeysWithValues: map { ($0.key.rawValue, $0.value.json) })
  }
}
