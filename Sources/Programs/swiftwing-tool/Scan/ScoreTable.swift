import BookScan
import Foundation

/// Sums the figures of the photos.
struct ScoreTable {
  private var scores: [ShelfScore] = []
  private var seconds: [Double] = []
  private var costs: [ReadingCost] = []

  /// Adds a photo.
  /// - Returns: the figures of the photo.
  mutating func add(_ score: ShelfScore, _ scan: PhotoScan) -> String {
    scores.append(score)
    seconds.append(scan.processorSeconds)
    if let cost = scan.findings.cost { costs.append(cost) }
    let books = score.isComplete ? "\(score.booksRight) right of \(score.books)" : "\(score.booksRight) right"
    return "titles \(score.titlesRead)/\(score.titles)  books \(books)  "
      + String(format: "%.2f CPU s  %.0f ms", scan.processorSeconds, scan.milliseconds)
  }

  func summary(_ recognizer: String, _ level: RecognitionLevel) -> String {
    let complete = scores.filter(\.isComplete)
    let sum = { (scores: [ShelfScore], value: KeyPath<ShelfScore, Int>) in
      scores.reduce(0) { $0 + $1[keyPath: value] }
    }
    let (titles, read) = (sum(scores, \.titles), sum(scores, \.titlesRead))
    let (spines, books, right) = (
      sum(complete, \.titles), sum(complete, \.books), sum(complete, \.booksRight)
    )
    return "\(recognizer), \(level.rawValue): line recall \(share(read, titles)) (\(read) of \(titles)); "
      + "books: recall \(share(sum(scores, \.booksRight), titles)), on complete photos recall \(share(right, spines)) "
      + "precision \(share(right, books)) (\(right) right of \(books), \(spines) spines); "
      + String(format: "%.2f CPU s a photo", seconds.reduce(0, +) / Double(max(seconds.count, 1)))
  }

  /// The mean processor time of each stage; nil if none was measured.
  var stages: String? {
    guard !costs.isEmpty else { return nil }
    let sum = costs.reduce(ReadingCost(), +)
    let mean = { (stage: KeyPath<ReadingCost, Double>) in sum[keyPath: stage] / Double(costs.count) }
    return String(
      format:
        "CPU s a photo: decoding %.2f, detection %.2f, recognition %.2f, second script %.2f, spines %.2f; all stages %.2f",
      mean(\.decoding), mean(\.detection), mean(\.recognition), mean(\.secondScript), mean(\.spines),
      mean(\.total))
  }

  private func share(_ part: Int, _ whole: Int) -> String {
    whole == 0 ? "–" : String(format: "%.3f", Double(part) / Double(whole))
  }
}
