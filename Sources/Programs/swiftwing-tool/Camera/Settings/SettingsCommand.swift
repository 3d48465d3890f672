import ArgumentParser
import Console
import Harness
import JSON
import Settings
import System

struct SettingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: "Show and change the camera settings that all programs share.",
    discussion: """
      The settings are in one file: the one that SWIFTWING_SETTINGS names, or swiftwing/settings.json in the \
      user's configuration folder. Every running program that uses the file takes up a change within a \
      second. If a value is invalid, the default is used; the value stays in the file until it is set.
      """,
    subcommands: [
      SettingsList.self, SettingsGet.self, SettingsSet.self, SettingsUnset.self, SettingsWatchCommand.self,
    ])
}

/// The option that chooses the settings file.
struct SettingsPlace: ParsableArguments {
  @Option(help: ArgumentHelp("The settings file, in place of the user's own.", valueName: "FILE"))
  var file: String?

  /// The option to append to a command, quoted for a shell.
  var option: String { file.map { " \(ShellCommand.option("--file", $0))" } ?? "" }

  var settings: SettingsFile { file.map { SettingsFile(path: $0) } ?? SettingsFile() }

  /// The settings file. If it does not exist, it is written with all defaults. If that fails, the defaults apply nevertheless.
  var written: SettingsFile {
    let settings = settings
    try? settings.writeDefaults()
    return settings
  }
}

/// The settings as JSON for programs.
struct SettingsDocument: Encodable {
  struct Value: Encodable {
    let value: JSONValue

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch value {
      case .bool(let flag): try container.encode(flag)
      case .integer(let number): try container.encode(number)
      case .number(let number): try container.encode(number)
      case .string(let text): try container.encode(text)
      case .null, .array, .object: try container.encodeNil()
      }
    }
  }

  var file: String
  var settings: [String: Value]
  var warnings: [String]

  init(_ reading: SettingsFile.Reading, of file: SettingsFile) {
    self.file = file.path
    settings = Dictionary(
      uniqueKeysWithValues: SettingKey.all.map { ($0.name, Value(value: $0.value(in: reading.settings))) })
    warnings = reading.warnings
  }
}

struct SettingsList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Print every setting, its value and the values that it accepts.")

  @OptionGroup var place: SettingsPlace
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let file = place.written
    let reading = try file.read()
    if json { return try Terminal.say(json: SettingsDocument(reading, of: file)) }
    Terminal.say(file.path)
    for key in SettingKey.all { Terminal.say(SettingText.lines(key, reading.settings)) }
    for warning in reading.warnings { Terminal.tell("note: \(warning)") }
  }
}

struct SettingsGet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Print the value of one setting, as JSON.")

  @Argument(help: ArgumentHelp("A key, as `settings list` shows it.", valueName: "KEY")) var key: String
  @OptionGroup var place: SettingsPlace

  func run() throws {
    let reading = try place.settings.read()
    let value = JSONSerializer.line(try SettingKey.asked(key).value(in: reading.settings))
    Terminal.say(document: String(decoding: value, as: UTF8.self))
    for warning in reading.warnings { Terminal.tell("note: \(warning)") }
  }
}

struct SettingsSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change one setting; all others stay as they are.")

  @Argument(help: ArgumentHelp("A key, as `settings list` shows it.", valueName: "KEY")) var key: String
  @Argument(help: ArgumentHelp("Its new value: on, off, a number or a name.", valueName: "VALUE")) var value:
    String
  @OptionGroup var place: SettingsPlace

  func run() throws {
    let key = try SettingKey.asked(key)
    guard let given = key.value(written: value) else {
      throw Failure("cannot set \(key.name) to \(value.prefix(60)): it takes \(key.accepts)", .usage)
    }
    let reading = try place.settings.set(
      key, to: try SettingText.checked(given, for: key, file: place.option))
    SettingText.tell(key, of: reading)
  }
}

struct SettingsUnset: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset", abstract: "Put one setting back to its default; all others stay as they are.")

  @Argument(help: ArgumentHelp("A key, as `settings list` shows it.", valueName: "KEY")) var key: String
  @OptionGroup var place: SettingsPlace

  func run() throws {
    let key = try SettingKey.asked(key)
    SettingText.tell(key, of: try place.settings.set(key, to: key.value(in: CameraSettings())))
  }
}

struct SettingsWatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print the settings, and each change of them, until ^C.")

  @OptionGroup var place: SettingsPlace
  @Flag(help: "Print one JSON object a line.") var json = false

  func run() async throws {
    let (file, json) = (place.written, json)
    try await Interrupts.cancelling {
      var last: SettingsFile.Reading?
      for await reading in try SettingsWatch.readings(of: file) {
        if json {
          try Terminal.say(line: SettingsDocument(reading, of: file))
        } else {
          Self.tell(reading, after: last)
        }
        last = reading
      }
    }
    throw ExitCode(.interrupted)
  }

  private static func tell(_ reading: SettingsFile.Reading, after last: SettingsFile.Reading?) {
    for key in SettingKey.all {
      let value = key.value(in: reading.settings)
      if last.map({ key.value(in: $0.settings) != value }) ?? true {
        Terminal.say("\(key.name) \(value.brief)")
      }
    }
    for warning in reading.warnings where last?.warnings.contains(warning) != true {
      Terminal.tell("note: \(warning)")
    }
  }
}

extension SettingKey {
  static func asked(_ name: String) throws(Failure) -> SettingKey {
    guard let key = named(name) else {
      throw Failure(
        "there is no setting \(name.prefix(60)); there are \(all.map(\.name).joined(separator: ", "))", .usage
      )
    }
    return key
  }
}
