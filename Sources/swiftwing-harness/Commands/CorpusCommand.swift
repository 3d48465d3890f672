import ArgumentParser
import Capture
import Corpora

struct CorpusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "corpus", abstract: "List, verify, import and make corpora.",
    subcommands: [List.self, Verify.self, CorpusImportCommand.self, Make.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The corpora found.")
    @Flag(help: "Print JSON.") var json = false

    struct Row: Encodable {
      var name: String
      var title: String
      var directory: String
      var frames: Int
    }

    func run() throws {
      let (corpora, problems) = Corpus.list(in: CorpusRoots.standard())
      let rows = corpora.map {
        Row(
          name: $0.manifest.name, title: $0.manifest.title, directory: $0.directory,
          frames: $0.manifest.frameCount)
      }
      if json {
        try Terminal.say(json: rows)
      } else {
        for row in rows { Terminal.say("\(row.name)  \(row.title)") }
      }
      for problem in problems { Terminal.tell("\(problem)") }
    }
  }

  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prove digests, limits and truth of corpora; of all that are found when none is named.")
    @Argument(help: "Names or paths.") var corpora: [String] = []

    func run() throws {
      let roots = CorpusRoots.standard()
      let chosen =
        corpora.isEmpty
        ? Corpus.list(in: roots).corpora : try corpora.map { try Corpus.find($0, searching: roots) }
      var isSound = true
      for corpus in chosen {
        let verification = corpus.verify {
          Terminal.progress("\(corpus.manifest.name): \($0) of \($1) files")
        }
        Terminal.endProgress()
        for finding in verification.findings { Terminal.tell(finding) }
        let verdict = verification.isSound ? "sound" : "\(verification.findingCount) findings"
        Terminal.say(
          "\(corpus.manifest.name): \(verdict), \(verification.filesChecked) files, "
            + "\(verification.framesDecoded) frames decoded")
        isSound = isSound && verification.isSound
      }
      if !isSound { throw ExitCode(2) }
    }
  }

  struct Make: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Draw the bundled corpora again, bit for bit.")
    @Argument(help: "Names; all when none is given.") var names: [String] = []
    @Option(help: ArgumentHelp("The folder that holds the corpora.", valueName: "DIR")) var out = "Corpus"
    @Flag(help: "Replace corpora that are there already.") var replace = false

    func run() throws {
      try SiblingProgram.become("swiftwing-render", ["--out", out] + (replace ? ["--replace"] : []) + names)
    }
  }
}
