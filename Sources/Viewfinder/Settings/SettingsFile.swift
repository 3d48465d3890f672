import Glibc
package import JSON
import System

/// The settings of this user, in one file that every program reads and changes.
///
/// A missing key has its default. A value that is not allowed also counts as the default, and is reported; it stays in the file until the key is
/// set. Keys that this version does not know are kept.
package struct SettingsFile: Sendable {
  package struct Reading: Hashable, Sendable {
    package var settings = CameraSettings()
    /// The flaws of the file, one sentence each.
    package var warnings: [String] = []
  }

  private let document: SharedDocument

  /// - Parameter path: by default the result of `standardPath`.
  package init(path: String = SettingsFile.standardPath()) { document = SharedDocument(path: path) }

  package var path: String { document.path }

  /// `SWIFTWING_SETTINGS`, or `swiftwing/settings.json` in the user's configuration folder (XDG Base Directory Specification). If `HOME` is not
  /// set, the user's home in the system's user database is used, never the working directory.
  package static func standardPath() -> String {
    variable("SWIFTWING_SETTINGS") ?? "\(standardFolder())/settings.json"
  }

  /// `swiftwing` in the user's configuration folder.
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

  /// Reads the present settings. A file that is not JSON counts as missing, and is reported as a warning.
  /// - Throws: an error if the system does not allow reading.
  package func read() throws(SettingsError) -> Reading {
    do throws(SettingsError) {
      return Self.reading(of: try document.read() ?? [:])
    } catch {
      guard error.kind == .damaged else { throw error }
      return Reading(warnings: ["the defaults are used: \(error)"])
    }
  }

  /// Writes a file with every default, if there is none yet.
  package func writeDefaults() throws(SettingsError) {
    try document.update { members in
      guard members.isEmpty else { return }
      for key in SettingKey.all { members[key.name] = key.give(CameraSettings()) }
    }
  }

  /// Changes settings. Only keys with a changed value are written, so that two programs do not overwrite each other's changes.
  /// - Returns: the present settings.
  /// - Throws: an error if the file cannot be written or is not JSON; it is then unchanged.
  @discardableResult package func update(
    _ change: (inout CameraSettings) -> Void
  ) throws(SettingsError) -> Reading {
    try writeDefaults()
    return try document.update { members in
      Self.change(&members, change)
      return Self.reading(of: members)
    }
  }

  /// Changes only the keys whose value differs.
  static func change(_ members: inout [String: JSONValue], _ change: (inout CameraSettings) -> Void) {
    let before = reading(of: members).settings
    var after = before
    change(&after)
    for key in SettingKey.all where key.give(after) != key.give(before) {
      members[key.name] = key.give(after)
    }
  }

  /// Sets a key, even to its present value: this replaces a disallowed value in the file.
  /// - Throws: `badInput` if the key does not allow the value.
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
