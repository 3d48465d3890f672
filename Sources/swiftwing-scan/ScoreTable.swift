import BookScan
import Foundation

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
