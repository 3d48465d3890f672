import ArgumentParser

/// Commands that are programs beside this one. They are named here so that `--help` and completion list every command. Usually the
/// launcher starts them; `become` does so if this program was started without the launcher.
enum OtherPrograms {
  static let commands: [any ParsableCommand.Type] = [Scan.self, Queue.self, Library.self, Talaria.self]

  /// Becomes the program of the command that `arguments` begin with; returns if there is none. `help scan` becomes that program too.
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
      abstract: "Read books from shelves in front of a camera, or from photographs.")
  }

  struct Queue: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List, retry or drop scans that wait for delivery.")
  }

  struct Library: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List, search, import or export the books found; fetch covers.")
  }

  struct Talaria: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run the reference backend, to try scanning with.")
  }
}
