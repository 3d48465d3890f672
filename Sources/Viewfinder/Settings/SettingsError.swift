import System

/// An error in reading or writing settings. The description is one sentence for a person.
package struct SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Kind: Sendable {
    /// The system refused access to the file.
    case system
    /// The file is invalid; it is left unchanged.
    case damaged
    /// Another program has locked the file for too long.
    case busy
    /// The request is not possible.
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
      .damaged, "cannot use \(path): \(reason); correct the file or move it away; it was left as it is")
  }
}
