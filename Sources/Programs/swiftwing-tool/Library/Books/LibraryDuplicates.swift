import ArgumentParser
import Console
import Library

struct LibraryDuplicates: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates", abstract: "List books that are the same, although they were read differently.",
    usage: """
      swiftwing library duplicates [--merge] [--library PATH] [--json]
      """,
    discussion: """
      The first book of each group is the one that --merge keeps. Books with different ISBNs are never in \
      one group, nor are titles that differ in a number. Copies, which were seen side by side, are listed, \
      but only `library merge` merges them.
      """)

  @Flag(help: "Merge each group into one book, except copies.") var merge = false
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
    for command in try hints(document) { Terminal.tell("  \(command)") }
  }

  /// Returns the commands that a person may run next.
  private func hints(_ document: DuplicatesDocument) throws -> [String] {
    if document.groups.contains(where: \.isMerged) {
      Terminal.tell("to take it back:")
      return [try place.command("library", "undo")]
    }
    if !merge, document.groups.contains(where: { !$0.areCopies }) {
      Terminal.tell("to make each group but copies one book:")
      return [try place.command("library", "duplicates", "--merge")]
    }
    guard let copies = document.groups.first(where: \.areCopies) else { return [] }
    Terminal.tell("to merge copies into one record, such as the first of these:")
    return [try place.command("library", "merge", copies.books.map { String($0.id) }.joined(separator: " "))]
  }
}

/// The document that `library duplicates` prints.
struct DuplicatesDocument: Encodable {
  struct Member: Encodable {
    var id: Int64
    var title: String
    var author: String?
    var isbn: String?
    /// The reason why it counts as a duplicate; nil for the first book of a group.
    var why: Likeness?
  }

  struct Group: Encodable {
    /// Whether they were seen as two physical books at once.
    var areCopies: Bool
    var isMerged: Bool
    var books: [Member]
  }

  var groups: [Group]
  private var wasMerging: Bool

  private enum CodingKeys: CodingKey { case groups }

  init(_ groups: [DuplicateGroup], merged: Bool) {
    wasMerging = merged
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
        let name = BookName.text(book.title, book.author)
        let head = "\(place == 0 ? "" : "  ")\(book.id)  "
        lines.append(head + PlainText.fitted(name, columns: columns, less: head.count))
        if let why = book.why { lines.append("      \(why.shown)") }
      }
      if let outcome = outcome(of: group) { lines.append("      \(outcome)") }
    }
    return lines + [summary]
  }

  /// Returns what happened to a group, and why; nil if nothing did.
  private func outcome(of group: Group) -> String? {
    if group.isMerged {
      let first = group.books.first.map { "book \($0.id)" } ?? "one book"
      return "merged: now all \(first)"
    }
    guard group.areCopies else { return nil }
    return (wasMerging ? "not merged: " : "") + "copies, which were seen side by side"
  }

  private var summary: String {
    func groups(_ count: Int) -> String { count == 1 ? "1 group" : "\(count) groups" }
    guard wasMerging else { return groups(self.groups.count) }
    let merged = self.groups.filter(\.isMerged)
    let parts = merged.reduce(0) { $0 + $1.books.count - 1 }
    let done =
      merged.isEmpty
      ? "nothing merged" : "\(groups(merged.count)) merged: \(parts) \(parts == 1 ? "book" : "books") fewer"
    let left = self.groups.count - merged.count
    return left == 0 ? done : "\(done); \(groups(left)) of copies left as \(left == 1 ? "it is" : "they are")"
  }
}

extension Likeness {
  /// The text for a person.
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
