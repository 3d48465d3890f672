import Glibc

/// The settings in `SWIFTWING_LOG`: `v4l2=debug,session=info`. A level alone applies to every category (`debug`); a later word overrides an
/// earlier one. `history` keeps the latest lines of all categories and prints them with the error that ends a command.
package struct LogSettings: Equatable, Sendable {
  package static let variable = "SWIFTWING_LOG"

  package private(set) var levels = LogLevels(.off)
  package private(set) var keepsHistory = false

  /// Creates settings that log nothing.
  package init() {}

  /// - Throws: an error that names the unknown word and the known ones.
  package init(_ text: String) throws(LogError) {
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.trimmed)
      switch (parts.first ?? "", parts.count) {
      case ("", 1): continue
      case ("history", 1): keepsHistory = true
      case (let name, 1): levels = LogLevels(try Self.level(name))
      case (let name, _):
        guard let category = LogCategory.allCases.first(where: { $0.name == name }) else {
          throw LogError(unknown: name, "category", known: LogCategory.allCases.map(\.name))
        }
        levels[category] = try Self.level(parts[1])
      }
    }
  }

  /// The settings from this process's environment.
  package static func ofEnvironment() throws(LogError) -> LogSettings {
    guard let text = getenv(variable) else { return LogSettings() }
    return try LogSettings(String(cString: text))
  }

  /// The levels of all lines that are needed, for the log or for the history.
  var wanted: LogLevels { keepsHistory ? levels.union(LogLevels(.debug)) : levels }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  private static func level(_ name: String) throws(LogError) -> LogLevel {
    guard let level = LogLevel.allCases.first(where: { $0.name == name }) else {
      throw LogError(unknown: name, "level", known: LogLevel.allCases.map(\.name))
    }
    return level
  }
}

/// An error that keeps the log from starting: an unknown word in `SWIFTWING_LOG`, or a trace that cannot be written.
package struct LogError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }

  fileprivate init(unknown word: String, _ what: String, known: [String]) {
    let named = word.isEmpty ? "nothing" : String(word.prefix(40))
    description =
      "\(LogSettings.variable) names \(named), which is no \(what) of the log; choose one of \(known.joined(separator: ", ")), as in "
      + "\(LogSettings.variable)=v4l2=debug,session=info"
  }
}
