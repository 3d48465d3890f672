import ArgumentParser
import Console
import Library

struct LibraryAdd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a book by hand, such as one that was not read.",
    usage: """
      swiftwing library add NAME [--isbn ISBN] [--format TEXT] [--copies N]
                            [--after ID] [--library PATH] [--json]
      """,
    discussion: """
      NAME is 'TITLE', or 'TITLE / AUTHOR'. The book is confirmed: no scan renames it. With --after, the new \
      book follows that book in every photograph of it, also when a photograph is read again. `library undo` \
      reverts the addition.
      """)

  @Argument(help: ArgumentHelp("The title, or title / author.", valueName: "NAME")) var name: TypedName
  @Option(help: ArgumentHelp("The ISBN, of ten digits or thirteen.", valueName: "ISBN")) var isbn: String?
  @Option(help: ArgumentHelp("The kind of edition, such as hardcover.", valueName: "TEXT")) var format:
    String?
  @Option(help: ArgumentHelp("How many copies there are.", valueName: "N")) var copies: Int?
  @Option(help: ArgumentHelp("The book before it on the shelf.", valueName: "ID")) var after: BookNumber?
  @OptionGroup var place: LibraryPlace
  @Flag(help: "Print JSON.") var json = false

  func run() async throws {
    let library = try place.open(making: true).library
    var edit = name.edit
    edit.isbn = isbn
    edit.format = format
    edit.copies = copies
    let book = try await library.add(byHand: edit, after: after?.id).book
    let document = try await BooksDocument.of([book], count: 1, in: library, isWhole: json)
    if json { return try Terminal.say(json: document.books[0]) }
    Terminal.say("added:")
    for line in document.lines(columns: PlainText.outputColumns) { Terminal.say(line) }
  }
}

/// A typed name: `TITLE` or `TITLE / AUTHOR`.
struct TypedName: ExpressibleByArgument, Sendable, Equatable {
  let edit: BookEdit

  init?(argument: String) {
    guard let edit = BookName.parse(argument) else { return nil }
    self.edit = edit
  }
}

struct LibrarySplit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "split", abstract: "Split a record of several books that were read as one.",
    usage: "swiftwing library split ID NAME NAME... [--library PATH] [--json]",
    discussion: """
      NAME is 'TITLE', or 'TITLE / AUTHOR'. The record becomes the first book, and keeps its id, its spine \
      and its ISBN; the other books follow it in the same photographs. All are confirmed. `library undo` \
      merges them again.
      """)

  @Argument(help: ArgumentHelp("The id, as `library list` shows it.", valueName: "ID")) var id: BookNumber
  @Argument(help: ArgumentHelp("The titles, or titles / authors.", valueName: "NAME")) var names: [TypedName]
  @OptionGroup var place: LibraryPlace
  @Flag(help: "Print JSON.") var json = false

  func validate() throws {
    guard names.count > 1 else { throw ValidationError("name the two or more books to split it into") }
  }

  func run() async throws {
    let library = try place.open().library
    let books = try await library.split(id.id, into: names.map(\.edit))
    let document = try await BooksDocument.of(books, count: books.count, in: library, isWhole: json)
    if json { return try Terminal.say(json: document) }
    Terminal.say("book \(id.id) is now \(books.count) books:")
    for line in document.lines(columns: PlainText.outputColumns) { Terminal.say(line) }
  }
}
