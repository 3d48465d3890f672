import BookScan
import EngineScenarios
import Probes
import System
import TalariaServer

/// Counts which titles of a shelf with known truth were found, lost or doubled.
struct ShelfCount {
  private let copies: [String: Int]

  /// Counts the copies.
  /// - Parameter titles: the title of every spine.
  init(titles: [String]) {
    copies = titles.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Compares the library with the shelf.
  /// - Parameters:
  ///   - records: title and author of every book in the library.
  ///   - photos: for each photo, title and author of every book that the backend found in it.
  func judge(_ records: [String], _ photos: [[String]], outcome: inout StationOutcome) {
    let (shelved, besides) = count(records)
    let read = photos.map { count($0).titles }
    let everRead = Set(read.flatMap(\.keys))
    outcome.spines = copies.count
    outcome.spinesFound = shelved.count
    outcome.booksBesides = besides
    outcome.titlesRead = everRead.count
    outcome.titleReadings = read.map { $0.values.reduce(0, +) }.reduce(0, +)
    outcome.titlesLost = everRead.subtracting(shelved.keys).count
    outcome.titlesDoubled = shelved.map { title, count in max(0, count - copies[title, default: 1]) }
      .reduce(0, +)
  }

  /// Returns the number of occurrences of each title, and the number of texts that hold no title.
  private func count(_ texts: [String]) -> (titles: [String: Int], besides: Int) {
    var titles: [String: Int] = [:]
    var besides = 0
    // Longer titles come first, so that `The Trial` is not counted as a copy of `Trial`.
    let names = copies.keys.sorted { ($0.count, $0) > ($1.count, $1) }
    for text in texts {
      let read = ReadText([text])
      if let title = names.first(where: { read.holds($0) }) {
        titles[title, default: 0] += 1
      } else {
        besides += 1
      }
    }
    return (titles, besides)
  }
}

/// Records the books that the backend answered, photo by photo.
final class BackendAnswers: Sendable {
  private let seen = Locked<[[String]]>([])

  /// Title and author of every book, as the backend read them.
  var photos: [[String]] { seen.withLock { $0 } }

  /// Records an answer, and applies a misreading to it.
  /// - Returns: the books that the client gets.
  func note(_ books: [FoundBook], _ misreading: Misreading?) -> [FoundBook] {
    let count = seen.withLock { seen in
      seen.append(books.map { "\($0.title) \($0.author ?? "")" })
      return seen.count
    }
    switch misreading {
    case nil: return books
    case .noBooks: return []
    case .doubleBooks: return books.map { $0.renamed("\($0.title) \(Self.word(count))") }
    case .mergedBooks:
      return books.map { book in
        var book = book
        book.isbn = "9780306406157"
        return book
      }
    }
  }

  /// Returns a word of ten letters that is different for every photo.
  private static func word(_ number: Int) -> String {
    let letters = (0..<10).map { (number * 7 + $0 * (number + 3)) % 26 }
    return String(decoding: letters.map { UInt8(ascii: "a") + UInt8($0) }, as: UTF8.self)
  }
}

extension FoundBook {
  fileprivate func renamed(_ title: String) -> FoundBook {
    var book = self
    book.title = title
    return book
  }
}
