import ArgumentParser

/// A single-value option may not be repeated. ArgumentParser would silently take the last value, and a script would measure something
/// else than it says.
enum RepeatedOption {
  /// Options that may be repeated.
  private static let repeatable: Set<String> = ["--suite", "--scenario", "--calibration"]

  /// - Parameter arguments: those after the program's name.
  /// - Throws: `ValidationError` that names the first option that is repeated.
  static func refuse(in arguments: some Sequence<String>) throws {
    var seen: Set<String> = []
    // A value never begins with dashes, unless it is joined to its option by `=`.
    for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
      let name = argument.prefix { $0 != "=" }
      if !seen.insert(String(name)).inserted, !repeatable.contains(String(name)) {
        throw ValidationError("\(name) may not be repeated")
      }
    }
  }
}
