import BookScan
import Foundation

/// Compares the probabilities of records with how often the records are right, as lines for a terminal and as a drawing.
struct ReliabilityTable {
  private let reliability: Reliability

  init(_ reliability: Reliability) { self.reliability = reliability }

  /// The lines, at most 80 columns wide. Empty if no photo's truth is complete.
  var lines: [String] {
    guard let brier = reliability.brier else { return [] }
    let rows = reliability.tenths.map { tenth in
      let bar = String(repeating: "▪", count: Int((tenth.share * 20).rounded()))
      return String(
        format: "  %.1f–%.1f  %6d  %6d  %5.2f  %5.2f  %@", tenth.low, tenth.low + 0.1, tenth.count,
        tenth.right,
        tenth.said, tenth.share, bar)
    }
    return ["probability  books   right   said  share right"] + rows
      + [sure + String(format: "; Brier score %.3f", brier)]
  }

  /// A sentence such as "sure: 80 of 100 books (80.0 %), 79 right (98.8 %)".
  var sure: String {
    let (count, right) = reliability.tally(.sure)
    let all = count + reliability.tally(.doubtful).count
    return
      "sure: \(count) of \(all) books (\(Self.percent(count, all))), \(right) right (\(Self.percent(right, count)))"
  }

  /// A diagram of the share of right records by their mean probability, with the diagonal on which share and probability are equal. Empty
  /// without a record.
  var svg: String {
    let tenths = reliability.tenths
    guard !tenths.isEmpty else { return "" }
    let most = tenths.map(\.count).max() ?? 1
    let places = tenths.map { tenth in
      (
        x: 40 + 300 * tenth.said, y: 320 - 300 * tenth.share,
        radius: 2 + 6 * (Double(tenth.count) / Double(most)).squareRoot(), count: tenth.count
      )
    }
    let dots = places.map {
      String(format: #"<circle cx="%.1f" cy="%.1f" r="%.1f"/>"#, $0.x, $0.y, $0.radius)
    }
    // Above the dot, and after all dots, which would cover it.
    let counts = places.map {
      String(
        format: #"<text class="count" x="%.1f" y="%.1f" text-anchor="middle">%d</text>"#, $0.x,
        $0.y - $0.radius - 4, $0.count)
    }
    let marks = (dots + counts).joined()
    let points = tenths.map { String(format: "%.1f,%.1f", 40 + 300 * $0.said, 320 - 300 * $0.share) }
    let ticks = [0.0, 0.5, 1].map { (value: Double) -> String in
      let (across, down): (Double, Double) = (40 + 300 * value, 324 - 300 * value)
      return String(
        format: #"<text x="%.0f" y="338" text-anchor="middle">%.1f</text><text x="34" y="%.0f">%.1f</text>"#,
        across, value, down, value)
    }.joined()
    return """
      <svg class="reliability" viewBox="0 -16 360 378" role="img" aria-label="Share of books that are right by their probability">\
      <rect x="40" y="20" width="300" height="300"/><path class="diagonal" d="M40 320L340 20"/>\
      <polyline points="\(points.joined(separator: " "))"/>\(marks)\(ticks)\
      <text x="190" y="357" text-anchor="middle">stated probability</text><text x="190" y="-4" text-anchor="middle">share that is right, and the number of books</text></svg>
      """
  }

  private static func percent(_ part: Int, _ whole: Int) -> String {
    whole == 0 ? "–" : String(format: "%.1f %%", 100 * Double(part) / Double(whole))
  }
}
