import System

/// Why settings could not be read or written. The description is one sentence for a person.
package struct SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Kind: Sendable {
    /// The system refused the file.
    case system
    /// The file is not what it should be; it is left as it is.
    case damaged
    /// Another program holds the file for too long.
    case busy
    /// What was asked for cannot be.
    case badInput
  }

  package let kind: Kind
  package let description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  static func unreadable(_ path: String, _ error: SystemError) -> SettingsError {
    SettingsError(.system, "cannot read \(path): \(error.reason); check its permissions")
  }

  static func unwritable(_ path: String, _ error: SystemError) -> SettingsError {
    SettingsError(
      .system, "cannot write \(path): \(error.reason); check its folder, or name another file")
  }

  static func damaged(_ path: String, _ reason: String) -> SettingsError {
    SettingsError(
      .damaged, "cannot use \(path): \(reason); mend the file or move it away, it was left as it is")
  }
}
