import Foundation
import GRDB

/// Finds the books of a catalogue that have the most trigrams in common with a reading. Rare trigrams weigh more.
struct Candidates {
  /// The maximum number of books that are compared with the reading in full.
  static let limit = 60
  /// `budget`: the maximum number of index entries that are read. `rarest`: the number of rarest trigrams that are read even beyond the budget.
  static let (budget, rarest) = (40_000, 6)

  private let database: Database

  init(_ database: Database) { self.database = database }

  /// The ids of the candidates, the best first.
  func ids(for reading: Reading) throws -> [Int64] {
    var weights: [Int64: Double] = [:]
    let statement = try database.cachedStatement(sql: "SELECT rowid FROM gram WHERE gram MATCH ?")
    for (gram, books) in try chosen(Grams.all(of: [reading.title, reading.author])) {
      // A rarer trigram has a higher weight. The constant 1e9 only keeps the weight above 0.
      let weight = log(1e9 / Double(books))
      let rows = try Int64.fetchCursor(statement, arguments: ["\"\(gram)\""])
      while let id = try rows.next() { weights[id, default: 0] += weight }
    }
    return Self.best(weights)
  }

  /// The rarest trigrams, as many as the budget allows.
  private func chosen(_ grams: [String]) throws -> [(gram: String, books: Int)] {
    let statement = try database.cachedStatement(sql: "SELECT books FROM gram_count WHERE gram = ?")
    var known: [(gram: String, books: Int)] = []
    for gram in grams {
      if let books = try Int.fetchOne(statement, arguments: [gram]), books > 0 { known.append((gram, books)) }
    }
    var (chosen, spent): ([(gram: String, books: Int)], Int) = ([], 0)
    for gram in known.sorted(by: { $0.books < $1.books }) {
      spent += gram.books
      guard spent <= Self.budget || chosen.count < Self.rarest else { break }
      chosen.append(gram)
    }
    return chosen
  }

  private static func best(_ weights: [Int64: Double]) -> [Int64] {
    guard weights.count > limit else { return weights.keys.sorted() }
    let order = weights.values.sorted(by: >)
    let least = order[limit - 1]
    return weights.filter { $0.value >= least }.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
      .prefix(limit).map(\.key)
  }
}
