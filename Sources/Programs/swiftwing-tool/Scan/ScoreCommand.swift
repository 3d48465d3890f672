import ArgumentParser
import BookScan
import Console
import Foundation
import Harness
import ScanStation

struct ScoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "score", abstract: "Read photographs whose spines are known, and measure how much is right.",
    usage: """
      swiftwing scan score --truth FOLDER [--printed FILE] [--only TEXT]
                           [--page FILE] [--out FILE] [--lines FILE]
                           [--readings FILE] [--features FILE]
                           [--level fast|accurate]
                           [--recognizer-engine openvino|tesseract]
                           [--languages LANGUAGES] [--models FOLDER]
      """,
    discussion: """
      Lines: a title counts as read if 80 % of its words are read, each with an edit distance of at most 20 %; missing spaces \
      are forgiven. Books: each record is paired with at most one spine, whose title must be in the record's title and author. \
      Precision and reliability count only photos whose truth is complete. Reliability: whether books are right as often as their \
      confidence says, in tenths.
      """)

  @Option(help: ArgumentHelp("Folder with photographs and their ground_truth.json.", valueName: "FOLDER"))
  var truth: String
  @Option(
    help: ArgumentHelp(
      "Cut titles to what is visible, and leave out photos, as this file says (printed.json).",
      valueName: "FILE")) var printed: String?
  @Option(help: ArgumentHelp("Read only photos whose name contains this.", valueName: "TEXT")) var only:
    String?
  @Option(help: ArgumentHelp("Write the lines of each photo, as one JSON object.", valueName: "FILE"))
  var lines: String?
  @Option(help: ArgumentHelp("Write what `scan --json` prints for each photo.", valueName: "FILE")) var out:
    String?
  @Option(
    help: ArgumentHelp(
      "Keep what was read in this file; photos that are in it already, at the same size of their files, are not read again.",
      valueName: "FILE"))
  var readings: String?
  @Option(
    help: ArgumentHelp("Write an HTML page with the photographs and what was found.", valueName: "FILE"))
  var page: String?
  @Option(
    help: ArgumentHelp(
      "Write what is measured of each record and which titles it holds, for scripts/fit-confidence.",
      valueName: "FILE"))
  var features: String?
  @OptionGroup var options: RecognitionOptions

  func run() throws {
    let interrupts = Interrupts.Watch()
    let photos = try Self.photos(in: truth, printed: printed, only: only)
    let outputs = try ScoreOutputs(
      ["--readings": readings, "--lines": lines, "--out": out, "--page": page, "--features": features],
      madeOf: ["\(truth)/ground_truth.json"] + photos.map { "\(truth)/\($0.file)" }
        + [printed].compactMap(\.self))
    let worker = try options.makeWorker()
    var kept = try readings.map { try KeptReadings(file: $0, level: options.level, recognizer: worker.name) }
    var results = ScoreResults(
      photos: photos.count, level: options.level, isDrawn: page != nil, isMeasured: features != nil)
    do {
      for photo in photos where !interrupts.isHeard {
        let file = "\(truth)/\(photo.file)"
        let scan =
          try kept?.photos[photo.file].flatMap {
            try PhotoScan(file: file, kept: $0, worker: worker, level: options.level)
          } ?? PhotoScan(file: file, worker: worker, level: options.level)
        kept?.photos[photo.file] = scan.kept
        Terminal.say("\(photo.file.padded(to: 36)) \(try results.add(photo, file: file, scan))")
      }
    } catch {
      // The photos before the one that cannot be read need not be read again.
      if let kept { try? outputs.write("--readings") { try kept.encoded() } }
      throw error
    }
    let summary = results.table.summary(worker.name, options.level)
    if let stages = results.table.stages { Terminal.say(stages) }
    Terminal.say(summary)
    for line in results.judgement.lines { Terminal.say(line) }
    if let kept { try outputs.write("--readings") { try kept.encoded() } }
    try results.write(to: outputs, summary: summary)
    if interrupts.isHeard { throw ExitCode(.interrupted) }
  }

  /// Returns the photographs to score.
  /// - Throws: `PhotoFileError` if the truth cannot be read, `ValidationError` if no photograph is left to score.
  static func photos(
    in folder: String, printed: String?, only text: String?
  ) throws -> [ShelfTruth.Photo] {
    let file = "\(folder)/ground_truth.json"
    guard var truth = try? ShelfTruth(json: Data(Photograph.contents(file))) else {
      _ = try Photograph.contents(file)
      throw PhotoFileError(
        file: file, reason: "it does not list photographs and their spines",
        remedy: "name another folder with --truth")
    }
    if let printed {
      let json = Data(try Photograph.contents(printed))
      guard let cuts = try? PrintedTitles(json: json) else {
        throw PhotoFileError(
          file: printed, reason: "it does not list printed titles", remedy: "name another file with --printed"
        )
      }
      truth = truth.cut(by: cuts)
    }
    let photos = truth.photos.filter { photo in text.map { photo.file.contains($0) } ?? true }
    guard !photos.isEmpty else {
      let which = text.map { " whose name contains \($0)" } ?? ""
      throw ValidationError("\(file) lists no photo\(which)")
    }
    return photos
  }
}
