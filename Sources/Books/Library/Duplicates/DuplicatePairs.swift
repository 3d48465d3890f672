/// Pairs of records that are worth comparing, found by shared keys (blocking) instead of comparing every pair.
///
/// Two records are paired if they share a rare word, a rare pair of words or a whole title, or if a word of one record differs from a word of the
/// other by one letter that is missing, added or changed. Keys that many records share are ignored, so the number of pairs grows linearly with the
/// number of records.
struct DuplicatePairs {
  /// The maximum number of records that share a key; a more frequent key is ignored.
  private static let blockLimit = 32
  /// Words that differ in one letter pair their records only if at most this many records have one of the two words.
  private static let rareLimit = 4

  private let records: [BookWords]
  private var postings: [Int: [Int32]] = [:]

  init(_ records: [BookWords]) {
    self.records = records
    for (index, record) in records.enumerated() {
      for word in Set(record.all) where word.count > 2 {
        postings[Self.key(word), default: []].append(Int32(index))
      }
    }
  }

  private static func key(_ text: String) -> Int { text.hashValue }

  /// Calls `meet` with two indices into the list, the smaller first. A pair may be reported more than once.
  func forEachPair(_ meet: (Int, Int) -> Void) {
    for block in postings.values where block.count <= Self.blockLimit { Self.pairs(block, meet) }
    for block in combinations().values where (2...Self.blockLimit).contains(block.count) {
      Self.pairs(block, meet)
    }
    nearWords(meet)
  }

  private static func pairs(_ block: [Int32], _ meet: (Int, Int) -> Void) {
    for (place, first) in block.enumerated() {
      for second in block[(place + 1)...] where first != second {
        meet(Int(min(first, second)), Int(max(first, second)))
      }
    }
  }

  /// Groups of records with an equal key: the whole title, all words regardless of their order, or a pair of frequent words.
  private func combinations() -> [Int: [Int32]] {
    var blocks: [Int: [Int32]] = [:]
    for (index, record) in records.enumerated() {
      var keys: Set<Int> = [
        Self.key("=" + record.title.joined()), Self.key("&" + record.all.sorted().joined(separator: " ")),
      ]
      let common = Set(record.all).filter { isCommon($0) }.sorted().prefix(6)
      for (place, first) in common.enumerated() {
        for second in common.dropFirst(place + 1) { keys.insert(Self.key("\(first) \(second)")) }
      }
      for key in keys { blocks[key, default: []].append(Int32(index)) }
    }
    return blocks
  }

  private func isCommon(_ word: String) -> Bool {
    word.count > 2 && (postings[Self.key(word)]?.count ?? 0) > Self.blockLimit
  }

  /// Pairs records that have words differing in one letter. A rare word may be a misread frequent word (symmetric deletes, after SymSpell).
  private func nearWords(_ meet: (Int, Int) -> Void) {
    let words = Set(records.lazy.flatMap(\.all)).filter { $0.count > 4 && $0.count < 24 && !isCommon($0) }
    var variants: [Int: [String]] = [:]
    for word in words {
      for variant in Self.variants(of: word) { variants[variant, default: []].append(word) }
    }
    for group in variants.values where group.count > 1 && group.count <= 16 {
      for (place, first) in group.enumerated() {
        for second in group[(place + 1)...] { meetWords(first, second, meet) }
      }
    }
  }

  /// The keys of a word, and of all texts that are the word without one letter.
  private static func variants(of word: String) -> Set<Int> {
    let letters = Array(word)
    var variants: Set<Int> = [key(word)]
    for place in letters.indices {
      variants.insert(key(String(letters[..<place] + letters[(place + 1)...])))
    }
    return variants
  }

  private func meetWords(_ first: String, _ second: String, _ meet: (Int, Int) -> Void) {
    let (one, other) = (postings[Self.key(first)] ?? [], postings[Self.key(second)] ?? [])
    guard min(one.count, other.count) <= Self.rareLimit else { return }
    for left in one {
      for right in other where left != right { meet(Int(min(left, right)), Int(max(left, right))) }
    }
  }
}
