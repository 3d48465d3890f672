import ArgumentParser
import BookScan
import Foundation

struct ScoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "score", abstract: "Read photographs whose spines are known, and say how much was right.",
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
  @OptionGroup var options: RecognitionOptions

  func run() throws {
    let shelves = try ShelfTruth(json: Data(contentsOf: URL(filePath: "\(truth)/ground_truth.json")))
    let recognizer = try options.makeRecognizer()
    let scanner = BookScanner(recognizer: recognizer)
    var table = ScoreTable()
    var texts: [String: [String]] = [:]
    var documents = ""
    for photo in shelves.photos where only.map({ photo.file.contains($0) }) ?? true {
      let scan = try PhotoScan(file: "\(truth)/\(photo.file)", scanner: scanner, level: options.level)
      let found = scan.findings.lines.map(\.text)
      let score = ShelfScore(photo, lines: found, books: scan.findings.spines.map { ($0.title, $0.author) })
      Terminal.say(table.add(photo.file, score, scan))
      texts[photo.file] = found
      documents += try FindingsDocument(photo: photo.file, scan: scan).text() + "\n"
    }
    Terminal.say(table.summary(recognizer.name, options.level))
    if let lines { try JSONEncoder().encode(texts).write(to: URL(filePath: lines)) }
    if let out { try Data(documents.utf8).write(to: URL(filePath: out)) }
  }
}

/// Sums as the photos come.
struct ScoreTable {
  private var scores: [ShelfScore] = []
  private var seconds: [Double] = []

  /// - Returns: the row of one photo.
  mutating func add(_ file: String, _ score: ShelfScore, _ scan: PhotoScan) -> String {
    scores.append(score)
    seconds.append(scan.processorSeconds)
    let name = file.padding(toLength: 36, withPad: " ", startingAt: 0)
    let books = score.isComplete ? "\(score.booksRight) right of \(score.books)" : "\(score.booksRight) right"
    return "\(name) titles \(score.titlesRead)/\(score.titles)  books \(books)  "
      + String(format: "%.2f CPU s  %.0f ms", scan.processorSeconds, scan.milliseconds)
  }

  func summary(_ recognizer: String, _ level: RecognitionLevel) -> String {
    let complete = scores.filter(\.isComplete)
    let total = { (scores: [ShelfScore], value: KeyPath<ShelfScore, Int>) in
      Double(scores.reduce(0) { $0 + $1[keyPath: value] })
    }
    return String(
      format: """
        %@, %@: line recall %.3f (%.0f of %.0f); books: recall %.3f, on complete photos recall %.3f precision %.3f \
        (%.0f right of %.0f, %.0f spines); %.2f CPU s a photo
        """,
      recognizer, level.rawValue, total(scores, \.titlesRead) / total(scores, \.titles),
      total(scores, \.titlesRead),
      total(scores, \.titles), total(scores, \.booksRight) / total(scores, \.titles),
      total(complete, \.booksRight) / total(complete, \.titles),
      total(complete, \.booksRight) / total(complete, \.books), total(complete, \.booksRight),
      total(complete, \.books), total(complete, \.titles),
      seconds.reduce(0, +) / Double(max(seconds.count, 1)))
  }
}
