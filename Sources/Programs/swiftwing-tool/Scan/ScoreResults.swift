import BookScan
import Console
import Foundation

/// The results of `scan score` so far, and the documents that it writes.
struct ScoreResults {
  /// The figures of the photos so far.
  private(set) var table = ScoreTable()
  private var page: ScorePage
  private var texts: [String: [String]] = [:]
  private var documents = ""
  private var measured = ""
  private var reliability = Reliability()
  private let isDrawn: Bool
  private let isMeasured: Bool
  private let level: RecognitionLevel

  /// Creates empty results.
  /// - Parameters:
  ///   - isDrawn: whether each photo is drawn on the page, which needs its picture.
  ///   - isMeasured: whether the features of each record are written.
  init(photos: Int, level: RecognitionLevel, isDrawn: Bool, isMeasured: Bool) {
    page = ScorePage(photos: photos)
    self.level = level
    self.isDrawn = isDrawn
    self.isMeasured = isMeasured
  }

  /// Adds a photo.
  /// - Returns: the figures of the photo, as a line.
  mutating func add(_ photo: ShelfTruth.Photo, file: String, _ scan: PhotoScan) throws -> String {
    let found = scan.findings.lines.map(\.text)
    let score = ShelfScore(photo, lines: found, books: scan.findings.spines.map { ($0.title, $0.author) })
    let row = table.add(score, scan)
    if isDrawn { page.add(photo.file, file: file, row: row, score, findings: scan.findings) }
    texts[photo.file] = found
    reliability.add(score, scan.findings.spines)
    if isMeasured {
      measured +=
        try FeatureDocument(photo, file: file, lines: scan.findings.lines, level: level).text() + "\n"
    }
    documents += try FindingsDocument(photo: photo.file, scan: scan).text() + "\n"
    return row
  }

  /// Compares the books' probabilities with how often the books are right.
  var judgement: ReliabilityTable { ReliabilityTable(reliability) }

  /// Writes the documents.
  /// - Parameter summary: the text that the run prints at its end.
  func write(to outputs: ScoreOutputs, summary: String) throws {
    try outputs.write("--lines") { try JSONEncoder().encode(texts) }
    try outputs.write("--out") { Data(documents.utf8) }
    try outputs.write("--page") { Data(page.html(summary: summary, reliability: judgement).utf8) }
    try outputs.write("--features") { Data(measured.utf8) }
  }
}
