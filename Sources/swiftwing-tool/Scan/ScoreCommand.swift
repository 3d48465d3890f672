import ArgumentParser
import BookScan
import Console
import Foundation
import Harness

struct ScoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "score", abstract: "Read photographs whose spines are known, and measure how much is right.",
    usage: """
      swiftwing scan score --truth FOLDER [--only TEXT] [--page FILE]
                           [--out FILE] [--lines FILE] [--readings FILE]
                           [--level fast|accurate]
                           [--recognizer-engine openvino|tesseract]
                           [--languages LANGUAGES] [--models FOLDER]
      """,
    discussion: """
      Lines: a title counts as read if 80 % of its words are read, each with an edit distance of at most 20 %; missing spaces \
      are forgiven. Books: each record is paired with at most one spine, whose title must be in the record's title and author. \
      Precision counts only photos whose truth is complete.
      """)

  @Option(help: ArgumentHelp("Folder with photographs and their ground_truth.json.", valueName: "FOLDER"))
  var truth: String
  @Option(help: ArgumentHelp("Read only photos whose name contains this.", valueName: "TEXT")) var only:
    String?
  @Option(help: ArgumentHelp("Write the lines of each photo, as one JSON object.", valueName: "FILE"))
  var lines: String?
  @Option(help: ArgumentHelp("Write what `scan --json` prints for each photo.", valueName: "FILE")) var out:
    String?
  @Option(
    help: ArgumentHelp(
      "Keep what was read in this file; photos that are in it already are not read again.",
      valueName: "FILE"))
  var readings: String?
  @Option(
    help: ArgumentHelp("Write an HTML page with the photographs and what was found.", valueName: "FILE"))
  var page: String?
  @OptionGroup var options: RecognitionOptions

  func run() throws {
    let interrupts = Interrupts.Watch()
    let photos = try Self.photos(in: truth, only: only)
    let outputs = try ScoreOutputs(
      ["--readings": readings, "--lines": lines, "--out": out, "--page": page],
      madeOf: ["\(truth)/ground_truth.json"] + photos.map { "\(truth)/\($0.file)" })
    let worker = try options.makeWorker()
    var kept = try readings.map { try KeptReadings(file: $0, level: options.level) }
    var table = ScoreTable()
    var drawn = ScorePage(photos: photos.count)
    var (texts, documents) = ([String: [String]](), "")
    for photo in photos where !interrupts.isHeard {
      let file = "\(truth)/\(photo.file)"
      let scan =
        try kept?.photos[photo.file].map {
          try PhotoScan(file: file, kept: $0, worker: worker, level: options.level)
        } ?? PhotoScan(file: file, worker: worker, level: options.level)
      kept?.photos[photo.file] = scan.kept
      let found = scan.findings.lines.map(\.text)
      let score = ShelfScore(photo, lines: found, books: scan.findings.spines.map { ($0.title, $0.author) })
      let row = table.add(score, scan)
      Terminal.say("\(photo.file.padded(to: 36)) \(row)")
      if page != nil { drawn.add(photo.file, file: file, row: row, score, scan.findings) }
      texts[photo.file] = found
      documents += try FindingsDocument(photo: photo.file, scan: scan).text() + "\n"
    }
    let summary = table.summary(worker.name, options.level)
    if let stages = table.stages { Terminal.say(stages) }
    Terminal.say(summary)
    if let kept { try outputs.write("--readings") { try kept.encoded() } }
    try outputs.write("--lines") { try JSONEncoder().encode(texts) }
    try outputs.write("--out") { Data(documents.utf8) }
    try outputs.write("--page") { Data(drawn.html(summary: summary).utf8) }
    if interrupts.isHeard { throw ExitCode(.interrupted) }
  }

  /// - Throws: `PhotoFileError` when the truth cannot be read, `ValidationError` when no photo is left to be scored.
  static func photos(in folder: String, only text: String?) throws -> [ShelfTruth.Photo] {
    let file = "\(folder)/ground_truth.json"
    guard let truth = try? ShelfTruth(json: PhotoScan.contents(file)) else {
      _ = try PhotoScan.contents(file)
      throw PhotoFileError(file: file, reason: "it does not list photographs and their spines")
    }
    let photos = truth.photos.filter { photo in text.map { photo.file.contains($0) } ?? true }
    guard !photos.isEmpty else {
      let which = text.map { " whose name contains \($0)" } ?? ""
      throw ValidationError("\(file) lists no photo\(which)")
    }
    return photos
  }
}
