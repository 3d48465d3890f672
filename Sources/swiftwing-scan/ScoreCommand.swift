import ArgumentParser
import BookScan
import Console
import Foundation

struct ScoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "score", abstract: "Read photographs whose spines are known, and say how much was right.",
    usage: "swiftwing scan score --truth <FOLDER> [<options>]",
    discussion: """
      Lines: the share of titles of which 80 % of the words are read within 20 % edit distance, dropped spaces forgiven. Books: \
      one record a physical spine, its title and author together holding the title, paired one to one; precision on the photos \
      whose truth is complete.
      """)

  @Option(help: ArgumentHelp("Photographs and their ground_truth.json.", valueName: "FOLDER")) var truth:
    String
  @Option(help: ArgumentHelp("Only the photos whose name contains this.", valueName: "TEXT")) var only:
    String?
  @Option(help: ArgumentHelp("Write the lines of each photo as score.py reads them.", valueName: "FILE"))
  var lines: String?
  @Option(help: ArgumentHelp("Write what `scan --json` prints for each photo.", valueName: "FILE")) var out:
    String?
  @Option(
    help: ArgumentHelp(
      "Keep what was read in this file; where it is there, take it from it instead of reading again.",
      valueName: "FILE"))
  var readings: String?
  @Option(
    help: ArgumentHelp("Draw the photographs with what was found, as one HTML file.", valueName: "FILE"))
  var page: String?
  @OptionGroup var options: RecognitionOptions

  func run() throws {
    let interruption = Interruption()
    let photos = try ShelfTruth(json: PhotoScan.contents("\(truth)/ground_truth.json")).photos
      .filter { photo in only.map { photo.file.contains($0) } ?? true }
    let worker = try options.makeWorker()
    var kept = try readings.map { try KeptReadings(file: $0, level: options.level) }
    var table = ScoreTable()
    var drawn = ScorePage(photos: photos.count)
    var (texts, documents) = ([String: [String]](), "")
    for photo in photos where !interruption.isHeard {
      let file = "\(truth)/\(photo.file)"
      let scan =
        try kept?.photos[photo.file].map {
          try PhotoScan(file: file, kept: $0, worker: worker, level: options.level)
        } ?? PhotoScan(file: file, worker: worker, level: options.level)
      kept?.photos[photo.file] = scan.kept
      let found = scan.findings.lines.map(\.text)
      let score = ShelfScore(photo, lines: found, books: scan.findings.spines.map { ($0.title, $0.author) })
      let row = table.add(score, scan)
      Terminal.say("\(photo.file.padding(toLength: 36, withPad: " ", startingAt: 0)) \(row)")
      if page != nil { drawn.add(photo.file, file: file, row: row, score, scan.findings) }
      texts[photo.file] = found
      documents += try FindingsDocument(photo: photo.file, scan: scan).text() + "\n"
    }
    let summary = table.summary(worker.name, options.level)
    Terminal.say(summary)
    if let readings { try kept?.write(readings) }
    if let lines { try write(JSONEncoder().encode(texts), lines) }
    if let out { try write(Data(documents.utf8), out) }
    if let page { try write(Data(drawn.html(summary: summary).utf8), page) }
    if interruption.isHeard { throw ExitCode(Interruption.status) }
  }

  private func write(_ data: Data, _ file: String) throws {
    do {
      try data.write(to: URL(filePath: file), options: .atomic)
    } catch {
      throw PhotoFileError(cannot: "write", file: file, reason: String(cString: strerror(errno)))
    }
  }
}
