import Corpora
import Glibc
import System

/// `swiftwing-render [--out DIR] [--replace] [NAME…]`
struct RenderCommand {
  let arguments: [String]

  static let usage = """
    usage: swiftwing-render [--out DIR] [--replace] [NAME…]
    Makes the bundled corpora again, bit for bit, and verifies them: \(Studio.names.joined(separator: ", ")).
      --out DIR   the folder that holds the corpora (default: Corpus)
      --replace   replace corpora that are there already
    """

  /// Runs the command. Returns the exit status: 0 for success, 1 for failure, 2 for wrong usage.
  func run() -> Int32 {
    var (folder, isReplacing, names): (String, Bool, [String]) = ("Corpus", false, [])
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h":
        print(Self.usage)
        return 0
      case "--replace": isReplacing = true
      case "--out":
        // With an empty name, the corpora would be written to the root of the file system.
        guard let value = rest.popFirst(), !value.isEmpty else { return refuse("--out needs a folder") }
        folder = value
      case _ where Studio.names.contains(argument): names.append(argument)
      default: return refuse("there is no corpus or option \(argument)")
      }
    }
    return make(names.isEmpty ? Studio.names : names, in: folder, isReplacing: isReplacing)
  }

  private func refuse(_ reason: String) -> Int32 {
    report("swiftwing: \(reason); see `swiftwing corpus make --help`")
    return 2
  }

  private func make(_ names: [String], in folder: String, isReplacing: Bool) -> Int32 {
    do {
      let studio = try Studio()
      for name in names {
        report("making \(folder)/\(name)")
        let wasThere = access("\(folder)/\(name)/corpus.json", F_OK) == 0
        try studio.make(name, in: folder, isReplacing: isReplacing)
        if wasThere { report("note: replaced \(folder)/\(name)") }
        let verification = try Corpus(opening: "\(folder)/\(name)").verify()
        for finding in verification.findings { report("swiftwing: \(finding)") }
        if !verification.isSound { return 1 }
      }
      return 0
    } catch {
      report("swiftwing: \(error)")
      return 1
    }
  }

  /// Writes lines to standard error. Each is made safe, because it may contain arguments and the content of files.
  private func report(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = Array(lines.map { "\(TerminalText.printable(String($0)))\n" }.joined().utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
