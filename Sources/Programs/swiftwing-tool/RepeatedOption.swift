import ArgumentParser

protocol RepeatsOptions: ParsableCommand {
  /// The names of these options, such as `--suite`.
  static var repeatedOptions: Set<String> { get }
}

/// Refuses repeated single-value options. ArgumentParser would silently use the last value, so a script would measure something
/// different from what it says.
enum RepeatedOption {
  /// Checks the arguments.
  /// - Parameters:
  ///   - arguments: the arguments after the program's name.
  ///   - command: the command of the arguments.
  /// - Throws: `ValidationError` that names the first repeated option.
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
