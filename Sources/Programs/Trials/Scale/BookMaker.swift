import Foundation
import System

/// Makes titles and authors with realistic word frequencies: few words that are common and many that are rare (Zipf's law,
/// exponent 1, over 60,000 words), two to seven words per title.
struct BookMaker {
  private var chance: SplitMix64
  private let words: [String]
  private let sums: [Double]

  static let common = ["the", "of", "and", "a", "in", "to", "history", "story", "life", "love", "world"]
  private static let syllables = """
    ba be bi bo bu ca ce ci co da de di do el en er fa fe fi ga ge go ha he hi in is ka ke ki la le li lo ma me mi mo na ne ni \
    no or pa pe po ra re ri ro sa se si so ta te ti to un va ve vi wa we
    """.split(separator: " ").map(String.init)

  init(seed: UInt64, vocabulary: Int = 60_000) {
    var chance = SplitMix64(seed: seed)
    var (words, known) = (Self.common, Set(Self.common))
    while words.count < vocabulary {
      let count = Int.random(in: 2...4, using: &chance)
      let word = (0..<count).map { _ in Self.syllables.randomElement(using: &chance) ?? "" }.joined()
      if known.insert(word).inserted { words.append(word) }
    }
    self.chance = chance
    self.words = words
    var sum = 0.0
    sums = (1...vocabulary).map { rank in
      sum += 1 / Double(rank)
      return sum
    }
  }

  mutating func title() -> String {
    (0..<Int.random(in: 2...7, using: &chance)).map { _ in word() }.joined(separator: " ").capitalized
  }

  /// Returns an author with one of a thousand first names and any last name.
  mutating func author() -> String {
    "\(words[Int.random(in: 100..<1100, using: &chance)]) \(word())".capitalized
  }

  mutating func word() -> String {
    let drawn = Double.random(in: 0..<(sums.last ?? 1), using: &chance)
    var (low, high) = (0, sums.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > drawn { high = middle } else { low = middle + 1 }
    }
    return words[low]
  }

  /// Returns an ISBN with a valid check digit, different for every number below a thousand million.
  static func isbn(_ number: Int) -> String {
    let digits = Array("978\(String(1_000_000_000 + number).dropFirst())".utf8).map { Int($0) - 48 }
    let sum = digits.enumerated().reduce(0) { $0 + ($1.offset.isMultiple(of: 2) ? 1 : 3) * $1.element }
    return digits.map(String.init).joined() + "\((10 - sum % 10) % 10)"
  }
}
