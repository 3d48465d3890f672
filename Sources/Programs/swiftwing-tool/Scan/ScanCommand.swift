import ArgumentParser

/// `swiftwing scan`: shelves before a camera, or photographs of them → books.
struct ScanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Read books from shelves in front of a camera, or from photographs.",
    subcommands: [LiveScan.self, ScanPhotos.self, ScanDrain.self, ScoreCommand.self],
    defaultSubcommand: LiveScan.self)
}

/// Which command of `scan` is meant where none is named.
enum ScanRoute {
  /// With `--drain` the queue is emptied; with `--photos` or a file name, photographs are read; otherwise a camera's pictures.
  /// - Parameter arguments: those after the program's name; another command's come back as they are.
  static func routed(_ arguments: [String]) -> [String] {
    if arguments.prefix(2) == ["help", "scan"] {
      return routed(["scan"] + arguments.dropFirst(2) + ["--help"])
    }
    guard arguments.first == "scan" else { return arguments }
    let rest = Array(arguments.dropFirst())
    if rest.first == "help" { return routed(["scan"] + rest.dropFirst() + ["--help"]) }
    let names = ScanCommand.configuration.subcommands.map { $0._commandName }
    if let first = rest.first, names.contains(first) { return arguments }
    if rest.contains("--drain") { return ["scan", "drain"] + rest.filter { $0 != "--drain" } }
    let isPhotos =
      rest.first?.hasPrefix("-") == false || rest.contains { $0 == "--photos" || $0.hasPrefix("--photos=") }
    return ["scan", isPhotos ? "photos" : "live"] + rest
  }

  /// What cannot be read as a live scan may be a scan of photographs: options may stand before the files.
  /// - Returns: nil where a command was named, or it is not about scanning.
  static func photos(_ arguments: [String]) -> [String]? {
    guard arguments.first == "scan", arguments.dropFirst().first?.hasPrefix("-") == true else { return nil }
    return ["scan", "photos"] + arguments.dropFirst()
  }
}
