import ArgumentParser

/// A command with options that may be repeated.
protocol RepeatsOptions: ParsableCommand {
  /// Their names, such as `--suite`.
  static var repeatedOptions: Set<String> { get }
}

/// A single-value option may not be repeated. ArgumentParser would silently take the last value, and a script would measure something
/// else than it says.
enum RepeatedOption {
  /// - Parameters:
  ///   - arguments: those after the program's name.
  ///   - command: the one that they are for.
  /// - Throws: `ValidationError` that names the first option that is repeated.
  static func refuse(in arguments: [String], of command: any ParsableCommand.Type) throws {
    let repeatable = (command as? any RepeatsOptions.Type)?.repeatedOptions ?? []
    var seen: Set<String> = []
    // A value never begins with dashes, unless it is joined to its option by `=`.
    for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
      let name = String(argument.prefix { $0 != "=" })
      if !seen.insert(name).inserted, !repeatable.contains(name) {
        throw ValidationError("\(name) may not be repeated")
      }
    }
  }
}
