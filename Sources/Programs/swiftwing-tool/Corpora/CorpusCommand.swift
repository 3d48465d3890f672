import ArgumentParser
import Console
import Corpora
import Foundation
import Harness

struct CorpusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "corpus", abstract: "List, verify, import and make corpora.",
    subcommands: [List.self, Verify.self, CorpusImportCommand.self, Make.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the corpora found.")
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
        let width = rows.map(\.name.count).max() ?? 0
        for row in rows {
          Terminal.say(row.name.padding(toLength: width, withPad: " ", startingAt: 0) + "  \(row.title)")
        }
      }
      for problem in problems { Terminal.tell("note: \(problem)") }
    }
  }

  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Check the digests, limits and truth of corpora; of all that are found if none is named.")
    @Argument(help: ArgumentHelp("Names or paths of corpora.", valueName: "CORPUS")) var corpora: [String] =
      []
    @Flag(help: "Print JSON.") var json = false

    struct Row: Encodable {
      var name: String
      var directory: String
      var isSound: Bool
      var filesChecked: Int
      var framesDecoded: Int
      var findingCount: Int
      /// The findings, at most the first thousand.
      var findings: [String]

      init(_ corpus: Corpus, _ verification: CorpusVerification) {
        name = corpus.manifest.name
        directory = corpus.directory
        isSound = verification.isSound
        filesChecked = verification.filesChecked
        framesDecoded = verification.framesDecoded
        findingCount = verification.findingCount
        findings = verification.findings
      }
    }

    func run() throws {
      let roots = CorpusRoots.standard()
      let chosen =
        corpora.isEmpty
        ? Corpus.list(in: roots).corpora : try corpora.map { try Corpus.find($0, searching: roots) }
      var rows: [Row] = []
      for corpus in chosen {
        let verification = corpus.verify {
          Terminal.progress("\(corpus.manifest.name): \($0) of \($1) files")
        }
        Terminal.endProgress()
        rows.append(Row(corpus, verification))
        if let row = rows.last, !json { tell(row) }
      }
      if json { try Terminal.say(json: rows) }
      if rows.contains(where: { !$0.isSound }) { throw ExitCode(.usage) }
    }

    private func tell(_ row: Row) {
      for finding in row.findings { Terminal.tell("swiftwing: \(finding)") }
      let verdict = row.isSound ? "sound" : "\(row.findingCount) findings"
      Terminal.say(
        "\(row.name): \(verdict), \(row.filesChecked) files, \(row.framesDecoded) frames decoded")
    }
  }

  struct Make: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "make",
      abstract: "Draw the bundled corpora again, bit for bit.")
    @Argument(help: ArgumentHelp("Which corpora; all if none is named.", valueName: "NAME")) var names:
      [String] =
        []
    @Option(help: ArgumentHelp("Folder to write the corpora to.", valueName: "DIR")) var out = "Corpus"
    @Flag(help: "Replace corpora that exist.") var replace = false

    func run() throws {
      try SiblingProgram.become("swiftwing-render", ["--out", out] + (replace ? ["--replace"] : []) + names)
    }
  }
}
