import Console
import Foundation
import Harness
import Imagery
import JSON
import Settings

/// Formats and checks settings for users.
enum SettingText {
  /// Returns a key with its value, and below it its purpose and accepted values, within 80 columns.
  static func lines(_ key: SettingKey, _ settings: CameraSettings) -> String {
    let value = key.value(in: settings).brief
    let first = "  \(key.name.padded(to: 38))"
    let head = first.count + value.count <= 80 ? [first + value] : ["  \(key.name)", "    \(value)"]
    let purpose = PlainText.wrapped("\(key.purpose): \(Self.unbroken(key.accepts))", columns: 74)
      .map { "      \($0.replacing(Self.fixedSpace, with: " "))" }
    return (head + purpose).joined(separator: "\n")
  }

  private static let fixedSpace = "\u{A0}"

  /// Returns the text with spaces in quotation marks made unbreakable.
  private static func unbroken(_ text: String) -> String {
    text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .map { $0.offset % 2 == 1 ? String($0.element).replacing(" ", with: fixedSpace) : String($0.element) }
      .joined(separator: "\"")
  }

  static func tell(_ key: SettingKey, of reading: SettingsFile.Reading) {
    Terminal.say("\(key.name) is \(key.value(in: reading.settings).brief)")
    for warning in reading.warnings { Terminal.tell("note: \(warning)") }
  }

  /// Checks a value. A look must be readable, and is stored by its absolute path, because other programs run in other folders.
  /// - Throws: the reason why the look cannot be read.
  /// - Parameter file: the option that names the settings file, for the command that removes the look; empty for the user's own
  ///   file.
  static func checked(
    _ value: JSONValue, for key: SettingKey, file: String = ""
  ) throws(Failure) -> JSONValue {
    guard key.name == "lastLUT", case .string(let path) = value, !path.isEmpty else { return value }
    do throws(LookupError) { _ = try ColorLookup(file: path) } catch {
      throw Failure(
        "cannot set lastLUT to \(path.prefix(60)): \(error.reason); name a .cube file, or remove the look with `swiftwing settings unset lastLUT\(file)`",
        .usage)
    }
    guard !path.hasPrefix("/") else { return value }
    return .string("\(FileManager.default.currentDirectoryPath)/\(path)")
  }
}
