import BookScan
import Foundation
import Library
import ScanStation

/// The photographs of a run on which no book was found.
struct BooklessPhotographs: Sendable, Equatable {
  /// The number of files that are named.
  static let limit = 10

  /// The paths of the first files, at most ``limit``.
  private(set) var paths: [String] = []
  private(set) var count = 0
  private var names: [UUID: String] = [:]
  private var withBooks: Set<UUID> = []

  mutating func add(_ path: String) {
    count += 1
    if paths.count < Self.limit { paths.append(path) }
  }

  /// Notes an event of a station. A photograph counts once it is in the library; records that are probably no books do not count.
  mutating func note(_ event: ScanEvent) {
    switch event {
    case .photograph(.queued(let photograph, let key)): names[key] = photograph.path
    case .found(let key, let spines):
      if spines.contains(where: { $0.certainty != .unlikely }) { withBooks.insert(key) }
    case .failed(let key, _): forget(key)
    case .delivered(let key, let books, _, _):
      if let name = names[key], !withBooks.contains(key), books.allSatisfy({ $0.certainty == .unlikely }) {
        add(name)
      }
      forget(key)
    default: break
    }
  }

  private mutating func forget(_ key: UUID) {
    names[key] = nil
    withBooks.remove(key)
  }

  /// The text for a person, with a remedy. Empty if each photograph shows a book.
  /// - Parameter remedy: an option with which to read the same files again; nil if there is none.
  func lines(remedy: String?) -> [String] {
    guard count > 0 else { return [] }
    let files = count == 1 ? "1 photograph" : "\(count) photographs"
    let rest = count > paths.count ? ["  and \(count - paths.count) more"] : []
    let again = remedy.map { "read them again \($0), or " } ?? ""
    return ["no book was found on \(files):"] + paths.map { "  \($0)" } + rest + [
      "to try: \(again)photograph them anew: nearer, level, sharp and evenly lit"
    ]
  }
}
