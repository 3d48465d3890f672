import ArgumentParser
import Foundation

/// What begins with a minus and a digit is a number, and no option. ArgumentParser would say that the option before it has no value, where
/// the user must hear what is wrong with the number.
enum NegativeNumbers {
  /// The arguments as the parser understands them: `--limit -1` becomes `--limit=-1`, and where a number stands by itself, all that is no
  /// option follows `--`.
  /// - Parameter arguments: those after the program's name; without such a number they come back as they are.
  static func marked(_ arguments: [String]) -> [String] {
    let head = arguments.prefix { $0 != "--" }
    guard head.contains(where: isNumber) else { return arguments }
    let path = CommandPath(arguments)
    let valued = optionsWithValues(of: path.command)
    let (names, tail) = (Array(head.prefix(path.depth)), arguments.dropFirst(head.count))
    let words = joined(head.dropFirst(path.depth), valued)
    guard words.contains(where: isNumber) else { return names + words + tail }
    let (options, others) = parted(words, valued)
    return names + options + ["--"] + others + tail.dropFirst()
  }

  /// The same words in their order, numbers joined to their options.
  private static func joined(_ words: ArraySlice<String>, _ valued: Set<String>) -> [String] {
    var joined: [String] = []
    for word in words {
      if isNumber(word), let option = joined.last, valued.contains(option) {
        joined[joined.count - 1] += "=\(word)"
      } else {
        joined.append(word)
      }
    }
    return joined
  }

  /// Options with their values, and what is no option.
  private static func parted(
    _ words: [String], _ valued: Set<String>
  ) -> (options: [String], others: [String]) {
    var (options, others, rest) = ([String](), [String](), words[...])
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), !isNumber(word) else {
        others.append(word)
        continue
      }
      options.append(word)
      if valued.contains(word), rest.first?.hasPrefix("-") == false, let value = rest.popFirst() {
        options.append(value)
      }
    }
    return (options, others)
  }

  private static func isNumber(_ word: String) -> Bool {
    guard word.hasPrefix("-") else { return false }
    let digits = word.dropFirst().drop { $0 == "." }
    return digits.first.map { $0.isASCII && $0.isNumber } ?? false
  }

  /// What ArgumentParser tells of a command.
  private struct Help: Decodable {
    struct Command: Decodable { var arguments: [Argument]? }
    struct Argument: Decodable {
      var kind: String
      var names: [Name]?
    }
    struct Name: Decodable {
      var kind: String
      var name: String
    }
    var command: Command
  }

  /// With their dashes, such as `--limit`.
  private static func optionsWithValues(of command: any ParsableCommand.Type) -> Set<String> {
    let help = try? JSONDecoder().decode(Help.self, from: Data(command._dumpHelp().utf8))
    let options = help?.command.arguments?.filter { $0.kind == "option" } ?? []
    return Set(
      options.flatMap { ($0.names ?? []).map { $0.kind == "long" ? "--\($0.name)" : "-\($0.name)" } })
  }
}
