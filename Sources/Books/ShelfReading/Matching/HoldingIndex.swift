import Bibliography
import Glibc

/// Finds the holdings that a spine may belong to, by the groups of three letters that spine and holding have in common.
struct HoldingIndex {
  /// The maximum number of candidates that are compared in detail.
  private static let candidateLimit = 8

  private var holdings: [UInt64: [Int32]] = [:]
  private var byISBN: [String: [Int32]] = [:]
  private let count: Int

  init(_ texts: [HoldingText]) {
    count = texts.count
    for (index, text) in texts.enumerated() {
      for gram in Self.grams(text.title + text.author).union(Self.markGrams(text.mark)) {
        holdings[gram, default: []].append(Int32(index))
      }
      for isbn in text.isbns { byISBN[isbn, default: []].append(Int32(index)) }
    }
  }

  /// The candidates, the most similar first.
  func candidates(_ spine: ReadSpine) -> [Int] {
    var (scores, touched): ([Double], [Int32]) = ([Double](repeating: 0, count: count), [])
    let grams = Self.grams(spine.words + spine.rest).union(Self.markGrams(spine.marks))
    // Look up rare groups first. Groups that half of the list has would add no candidates.
    let most = max(2000, count / 4)
    var looked = 0
    for list in grams.compactMap({ holdings[$0] }).sorted(by: { ($0.count, $0[0]) < ($1.count, $1[0]) }) {
      looked += list.count
      if looked > most, !touched.isEmpty { break }
      let weight = log(Double(count + 1) / Double(list.count))
      for index in list {
        if scores[Int(index)] == 0 { touched.append(index) }
        scores[Int(index)] += weight
      }
    }
    let ofISBN = spine.isbn.flatMap { byISBN[$0] } ?? []
    let best = touched.sorted { (scores[Int($0)], $1) > (scores[Int($1)], $0) }.prefix(Self.candidateLimit)
    return (ofISBN + best.filter { !ofISBN.contains($0) }).map(Int.init)
  }

  private static func grams(_ words: [FoldedWord]) -> Set<UInt64> {
    var grams: Set<UInt64> = []
    for word in words {
      let letters = [0x20] + word.letters.prefix(30) + [0x20]
      for index in 0..<max(0, letters.count - 2) { grams.insert(gram(letters[index..<index + 3])) }
    }
    return grams
  }

  /// The letter groups of a mark. A bit distinguishes them from the groups of words.
  private static func markGrams(_ letters: [UInt32]) -> Set<UInt64> {
    guard letters.count >= 4 else { return [] }
    return Set((0..<letters.count - 3).map { gram(letters[$0..<$0 + 4]) | 1 << 63 })
  }

  private static func gram(_ letters: ArraySlice<UInt32>) -> UInt64 {
    letters.reduce(0) { $0 &* 0x1F_FFF7 &+ UInt64($1) } & ~(1 << 63)
  }
}
