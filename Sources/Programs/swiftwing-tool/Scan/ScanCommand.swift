import ArgumentParser

/// `swiftwing scan`: reads books from shelves in front of a camera, or from photographs.
struct ScanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Read books from shelves in front of a camera, or from photographs.",
    subcommands: [LiveScan.self, ScanPhotos.self, ScanDrain.self, ScoreCommand.self],
    defaultSubcommand: LiveScan.self)
}

/// Chooses the subcommand of `scan` if none is named.
enum ScanRoute {
  /// Inserts the subcommand: `drain` for `--drain`, `photos` for `--photos` or a file name, otherwise the live scan.
  /// - Parameter arguments: the arguments after the program's name. Those of other commands are returned unchanged.
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

  /// Returns the arguments as a scan of photographs, if they are no valid live scan. In them, options may be before the file names.
  /// - Returns: nil if a subcommand was named, or if the command is not `scan`.
  static func photos(_ arguments: [String]) -> [String]? {
    guard arguments.first == "scan", arguments.dropFirst().first?.hasPrefix("-") == true else { return nil }
    return ["scan", "photos"] + arguments.dropFirst()
  }
}
