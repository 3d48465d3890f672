import ArgumentParser

/// Commands that are programs beside this one: named here so that `--help` and completion list every command. The launcher
/// starts them itself, and `become` does where this program was started without it.
enum OtherPrograms {
  static let commands: [any ParsableCommand.Type] = [Scan.self, Queue.self, Library.self, Talaria.self]

  /// Becomes the program of the command that `arguments` begin with; returns when it is none of these. `help scan` asks that
  /// program too.
  static func become(_ arguments: [String]) throws {
    var words = arguments[...]
    let asksForHelp = words.first == "help"
    if asksForHelp { words = words.dropFirst() }
    guard let name = words.first else { return }
    let rest = Array(words.dropFirst()) + (asksForHelp ? ["--help"] : [])
    if name == "scan" { try SiblingProgram.become("swiftwing-scan", rest) }
    guard commands.contains(where: { $0._commandName == name }) else { return }
    try SiblingProgram.become("swiftwing-library", [name] + rest)
  }

  struct Scan: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Books from shelves before a camera, or from photographs of them.")
  }

  struct Queue: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The scans that are on their way to the library: list, retry, drop.")
  }

  struct Library: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The books that were found: list, search, import, export, covers.")
  }

  struct Talaria: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The reference backend, to try scanning with.")
  }
}
