import ArgumentParser
import Foundation

/// Marks negative numbers for the parser. A word that begins with a minus and a digit is a number, not an option. ArgumentParser
/// would report that the option before it has no value, instead of what is wrong with the number.
enum NegativeNumbers {
  /// Rewrites the arguments for the parser: `--limit -1` becomes `--limit=-1`. If a number stands alone, all arguments that are
  /// not options go behind `--`.
  /// - Parameter arguments: the arguments after the program's name. Without a negative number they are returned unchanged.
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

  /// Returns the words in their order, with numbers joined to their options.
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

  /// Separates options with their values from other words.
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

  /// The part of ArgumentParser's description of a command that is needed here.
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

  /// Returns the options that take a value, with their dashes, such as `--limit`.
  private static func optionsWithValues(of command: any ParsableCommand.Type) -> Set<String> {
    let help = try? JSONDecoder().decode(Help.self, from: Data(command._dumpHelp().utf8))
    let options = help?.command.arguments?.filter { $0.kind == "option" } ?? []
    return Set(
      options.flatMap { ($0.names ?? []).map { $0.kind == "long" ? "--\($0.name)" : "-\($0.name)" } })
  }
}
