package import EngineScenarios
import Foundation
import Library
import System

/// Imports a library of many books from one file, then searches it as people do.
package struct SearchTrial: Sendable {
  private let directory: String
  private let books: Int
  /// The number of searches of each kind.
  private let searches: Int
  /// The delay added to each search, milliseconds.
  private let delay: Int

  package init(directory: String, books: Int, searches: Int, delay: Int) {
    self.directory = directory
    self.books = books
    self.searches = searches
    self.delay = delay
  }

  package func run() async throws -> SearchOutcome {
    var outcome = SearchOutcome()
    let store = try Store(directory: "\(directory)/store")
    let list = "\(directory)/books.csv"
    let samples = try write(list)
    outcome.memory.append(ProcessMemory.resident)
    let began = ContinuousClock.now
    outcome.books = try await store.library.importBooks(from: list).added
    outcome.importSeconds = (ContinuousClock.now - began) / .seconds(1)
    outcome.memory.append(ProcessMemory.resident)
    for (kind, queries) in Queries(samples: samples, count: searches).all {
      outcome.searches[kind] = try await search(store.library, queries, missed: &outcome.missed)
    }
    outcome.memory.append(ProcessMemory.resident)
    outcome.libraryBytes = try ["", "-wal"].map(bytes(ofLibrary:)).reduce(0, +)
    return outcome
  }

  /// Returns the size of the database, or of its write-ahead log.
  private func bytes(ofLibrary ending: String) throws -> Int {
    let path = "\(directory)/store/\(Store.fileName)\(ending)"
    return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  private func search(
    _ library: Library, _ queries: [Queries.Query], missed: inout Int
  ) async throws -> [Double] {
    var times: [Double] = []
    for query in queries {
      let began = ContinuousClock.now
      let found = try await library.search(query.text)
      if delay > 0 { usleep(UInt32(delay) * 1000) }
      times.append(((ContinuousClock.now - began) / .microseconds(1)).rounded() / 1000)
      let isRight = query.isbn.map { isbn in found.contains { $0.isbn == isbn } } ?? found.isEmpty
      if query.isExact, !isRight { missed += 1 }
    }
    return times
  }

  /// Writes the list of books. Returns an evenly spread sample of them.
  private func write(_ path: String) throws -> [Sample] {
    try Data().write(to: URL(filePath: path))
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    defer { try? file.close() }
    var maker = BookMaker(seed: 1)
    var samples: [Sample] = []
    var text = "title,author,isbn\r\n"
    for number in 0..<books {
      let sample = Sample(title: maker.title(), author: maker.author(), isbn: BookMaker.isbn(number))
      text += "\(sample.title),\(sample.author),\(sample.isbn)\r\n"
      if number.isMultiple(of: max(books / searches, 1)) { samples.append(sample) }
      guard text.utf8.count > 1 << 16 else { continue }
      try file.write(contentsOf: Data(text.utf8))
      text = ""
    }
    try file.write(contentsOf: Data(text.utf8))
    return samples
  }

  struct Sample {
    var title: String
    var author: String
    var isbn: String
  }
}

/// The searches, as people type them.
struct Queries {
  struct Query {
    var text: String
    /// The ISBN of the book that the search must find; nil if it must find none.
    var isbn: String?
    /// Whether the result is checked. False for searches that can have more matches than the 500 books that a search looks at.
    var isExact = true
  }

  let samples: [SearchTrial.Sample]
  let count: Int

  var all: [(kind: String, queries: [Query])] {
    let common = BookMaker.common
    return [
      ("common-word", cycle { _, index in Query(text: common[index % common.count], isExact: false) }),
      (
        "common-pair",
        cycle { _, index in Query(text: "\(common[index % 11]) \(common[(index + 4) % 11])", isExact: false) }
      ),
      ("word", cycle { Query(text: $0.words[$1 % $0.words.count], isExact: false) }),
      (
        "prefix",
        cycle { Query(text: String($0.words[$1 % $0.words.count].prefix(1 + $1 % 5)), isExact: false) }
      ),
      (
        "author-title",
        cycle { sample, _ in
          Query(text: "\(sample.author.split(separator: " ")[1]) \(sample.words[0])", isExact: false)
        }
      ),
      (
        "whole-title",
        cycle { sample, _ in Query(text: "\(sample.title) \(sample.author)", isbn: sample.isbn) }
      ),
      ("isbn", cycle { sample, _ in Query(text: sample.isbn, isbn: sample.isbn) }),
      ("no-hit", cycle { sample, _ in Query(text: "\(sample.words[0]) zyxqv") }),
    ]
  }

  private func cycle(_ make: (SearchTrial.Sample, Int) -> Query) -> [Query] {
    (0..<count).map { make(samples[$0 % samples.count], $0) }
  }
}

extension SearchTrial.Sample {
  var words: [String] { title.split(separator: " ").map(String.init) }
}
