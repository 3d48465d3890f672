import Glibc
package import JSON
import System

/// The settings of this user, in one file that every program reads and changes.
///
/// A key that is missing has its default. A value that a key cannot have counts as the default too, and is told; it stays in the file
/// until the key is set. Keys that this version does not know stay as they are.
package struct SettingsFile: Sendable {
  /// What the file says.
  package struct Reading: Hashable, Sendable {
    package var settings = CameraSettings()
    /// What was wrong with it, in one sentence each.
    package var warnings: [String] = []
  }

  private let document: SharedDocument

  /// - Parameter path: by default what `standardPath` says.
  package init(path: String = SettingsFile.standardPath()) { document = SharedDocument(path: path) }

  package var path: String { document.path }

  /// `SWIFTWING_SETTINGS`, or `swiftwing/settings.json` in the user's folder for configuration (XDG Base Directory Specification). Where `HOME`
  /// says nothing, the user's entry in the system's list does: never the folder that the program happens to be in.
  package static func standardPath() -> String {
    variable("SWIFTWING_SETTINGS") ?? "\(standardFolder())/settings.json"
  }

  /// `swiftwing` in the user's folder for configuration.
  package static func standardFolder() -> String {
    if let folder = variable("XDG_CONFIG_HOME"), folder.begins(exactly: "/") { return "\(folder)/swiftwing" }
    return "\(home())/.config/swiftwing"
  }

  private static func home() -> String {
    if let home = variable("HOME"), home.begins(exactly: "/") { return home }
    guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return "/" }
    return String(cString: folder)
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value[0] != 0 else { return nil }
    return String(cString: value)
  }

  /// What holds now. A file that is not JSON counts as none, and is told.
  /// - Throws: when the system does not let it be read.
  package func read() throws(SettingsError) -> Reading {
    do throws(SettingsError) {
      return Self.reading(of: try document.read() ?? [:])
    } catch {
      guard error.kind == .damaged else { throw error }
      return Reading(warnings: ["the defaults are used: \(error)"])
    }
  }

  /// The file with every default, where there is none yet.
  package func writeDefaults() throws(SettingsError) {
    try document.update { members in
      guard members.isEmpty else { return }
      for key in SettingKey.all { members[key.name] = key.give(CameraSettings()) }
    }
  }

  /// Changes settings: only the keys whose value is another are written, so that two programs lose nothing of each other's.
  /// - Returns: what holds now.
  /// - Throws: when the file cannot be written, or is not JSON: then it is left as it is.
  @discardableResult package func update(
    _ change: (inout CameraSettings) -> Void
  ) throws(SettingsError) -> Reading {
    try writeDefaults()
    return try document.update { members in
      Self.change(&members, change)
      return Self.reading(of: members)
    }
  }

  /// Of the keys only those whose value is another.
  static func change(_ members: inout [String: JSONValue], _ change: (inout CameraSettings) -> Void) {
    let before = reading(of: members).settings
    var after = before
    change(&after)
    for key in SettingKey.all where key.give(after) != key.give(before) {
      members[key.name] = key.give(after)
    }
  }

  /// Sets one key, also to the value that it counts as already: a value in the file that it cannot have is replaced.
  /// - Throws: `badInput` for a value that the key cannot have.
  @discardableResult package func set(_ key: SettingKey, to value: JSONValue) throws(SettingsError) -> Reading
  {
    var scratch = CameraSettings()
    guard key.take(value, &scratch) else {
      throw SettingsError(
        .badInput, "cannot set \(key.name) to \(value.brief): it takes \(key.accepts)")
    }
    let given = key.give(scratch)
    try writeDefaults()
    return try document.update { members in
      members[key.name] = given
      return Self.reading(of: members)
    }
  }

  static func reading(of members: [String: JSONValue]) -> Reading {
    var reading = Reading()
    for key in SettingKey.all {
      guard let value = members[key.name], !key.take(value, &reading.settings) else { continue }
      let given = key.give(CameraSettings()).brief
      reading.warnings.append("\(key.name) is \(value.brief), but takes \(key.accepts); \(given) is used")
    }
    return reading
  }
}
