import ArgumentParser
import Console
import EngineScenarios
import Harness
import Probes

/// Replays an archive of runs (`scripts/calibrate`) through the comparisons, and counts their verdicts. Not a command for users.
struct GateTrialCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate", abstract: "Replay an archive of runs through the gate, and count its verdicts.")

  @Option(help: "Comparisons by turns of one build, over all loads.") var comparisons = 300
  @Option(help: "Comparisons by turns of each slower build, over all loads.") var slower = 40
  @Option(name: .customLong("for"), help: "Seconds that one comparison by turns may take, of recorded time.")
  var limit = 300
  @Option(help: "The page to write, in Markdown.") var out: String?
  @Argument(help: "The folder that `scripts/calibrate` has filled.") var folder: String

  func run() async throws {
    let archive = try GateArchive(folder: folder)
    let atOnce = Set(ScenarioCatalogue.engine(Rig(viewfinder: "")).filter(\.isTimedByProcessor).map(\.id))
    let span = Duration.seconds(limit)
    var rows = try await TurnsReplay(archive: archive, limit: span, atOnce: atOnce).rows(
      same: comparisons, slower: slower)
    rows += try StoredReplay(archive: archive).rows() + CountedReplay(archive: archive).rows()
    guard !rows.isEmpty else {
      throw ValidationError(
        "cannot replay \(folder): it has no rounds of two builds and no runs; fill it with scripts/calibrate")
    }
    let page = GatePage(rows: rows, archive: archive, limit: span)
    Terminal.say(page.table)
    if let out { try OutputFile(path: out).write(page.markdown) }
  }
}

/// Draws the pictures of `docs/comparison.md`, and the page that shows every element of the pages.
struct PicturesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pictures",
    abstract: "Draw the examples of the page on comparisons, and the elements of all pages.")

  @Argument(help: "The folder to write them to.") var folder: String

  func run() throws {
    for picture in ComparisonExamples.pictures {
      try OutputFile(path: "\(folder)/\(picture.name)").write(picture.svg)
    }
    try OutputFile(path: "\(folder)/elements.html").write(ElementsPage.html)
  }
}
