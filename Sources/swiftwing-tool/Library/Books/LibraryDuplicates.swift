import ArgumentParser
import Console
import Delivery

struct LibraryDuplicates: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates", abstract: "List books that are the same though they were read differently.",
    usage: """
      swiftwing library duplicates [--merge] [--library PATH] [--json]
      """,
    discussion: """
      The first of each group is the one that stays. Books with different ISBNs are never together, nor are titles that differ in a \
      number. Copies, which were seen side by side, are listed, and merged only by `library merge`.
      """)

  @Flag(help: "Make each group one book, but for copies.") var merge = false
  @OptionGroup var place: LibraryPlace
  @Flag(help: "Print JSON.") var json = false

  func run() async throws {
    let library = try place.open().library
    let groups = try await Interrupts.cancelling { [merge] in
      merge ? try await library.mergeDuplicates() : try await library.duplicates()
    }
    let document = DuplicatesDocument(groups, merged: merge)
    if json { return try Terminal.say(json: document) }
    for line in document.lines(columns: PlainText.outputColumns) { Terminal.say(line) }
  }
}

/// What `library duplicates` tells.
struct DuplicatesDocument: Encodable {
  struct Member: Encodable {
    var id: Int64
    var title: String
    var author: String?
    var isbn: String?
    /// Why it is taken for one of the group; nil of the first.
    var why: Likeness?
  }

  struct Group: Encodable {
    /// Seen as two physical books at once.
    var areCopies: Bool
    var isMerged: Bool
    var books: [Member]
  }

  var groups: [Group]

  init(_ groups: [DuplicateGroup], merged: Bool) {
    self.groups = groups.map { group in
      let members = group.books.enumerated().map { place, book in
        Member(
          id: book.id, title: book.title, author: book.author.isEmpty ? nil : book.author, isbn: book.isbn,
          why: place > 0 && place <= group.reasons.count ? group.reasons[place - 1] : nil)
      }
      return Group(areCopies: group.areCopies, isMerged: merged && !group.areCopies, books: members)
    }
  }

  func lines(columns: Int?) -> [String] {
    var lines: [String] = []
    for group in groups {
      for (place, book) in group.books.enumerated() {
        let name = book.author.map { "\(book.title) / \($0)" } ?? book.title
        let head = "\(place == 0 ? "" : "  ")\(book.id)  "
        lines.append(head + PlainText.fitted(name, columns: columns, less: head.count))
        if let why = book.why { lines.append("      \(why.shown)") }
      }
      if group.areCopies { lines.append("      copies: they were seen side by side") }
    }
    return lines + [summary]
  }

  private var summary: String {
    let merged = groups.count(where: \.isMerged)
    if merged > 0 { return merged == 1 ? "1 group made one book" : "\(merged) groups made one book each" }
    return groups.count == 1 ? "1 group" : "\(groups.count) groups"
  }
}

extension Likeness {
  /// As a person reads it.
  fileprivate var shown: String {
    switch self {
    case .sameName: "the same title and author"
    case .authorMissing: "the same title; one has no author"
    case .authorMisread: "the same title; the author was read differently"
    case .sameWords: "the same words, divided otherwise between title and author"
    case .sameLetters: "the same letters, with other spaces"
    case .similarTitle: "titles that differ in a few letters"
    }
  }
}
