import ArgumentParser
import Console
import Library

/// The id of a book, as `library list` shows it.
struct BookNumber: ExpressibleByArgument, Sendable, Equatable {
  let id: Book.ID

  init?(argument: String) {
    guard let id = Int64(argument), id > 0 else { return nil }
    self.id = id
  }
}

struct LibraryEdit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Correct a book, or confirm that it is right.",
    usage: """
      swiftwing library edit ID [--title TEXT] [--author TEXT] [--isbn ISBN]
                             [--format TEXT] [--copies N] [--confirm]
                             [--library PATH] [--json]
      """,
    discussion: """
      A scan never renames a book that you have corrected or confirmed; it only adds sightings of the spine. \
      An empty text deletes the value.
      """)

  @Argument(help: ArgumentHelp("The id, as `library list` shows it.", valueName: "ID")) var id: BookNumber
  @Option(help: ArgumentHelp("The title.", valueName: "TEXT")) var title: String?
  @Option(help: ArgumentHelp("The author.", valueName: "TEXT")) var author: String?
  @Option(help: ArgumentHelp("The ISBN, of ten digits or thirteen.", valueName: "ISBN")) var isbn: String?
  @Option(help: ArgumentHelp("The kind of edition, such as hardcover.", valueName: "TEXT")) var format:
    String?
  @Option(help: ArgumentHelp("How many copies there are; 0 counts the spines seen.", valueName: "N"))
  var copies: Int?
  @Flag(help: "Confirm the book as it is.") var confirm = false
  @OptionGroup var place: LibraryPlace
  @Flag(help: "Print JSON.") var json = false

  func validate() throws {
    let given: [Any?] = [title, author, isbn, format, copies, confirm ? true : nil]
    guard given.contains(where: { $0 != nil }) else {
      throw ValidationError("name what to correct, such as --title, or give --confirm")
    }
  }

  func run() async throws {
    let library = try place.open().library
    let edit = BookEdit(title: title, author: author, isbn: isbn, format: format, copies: copies)
    let book = try await library.edit(id.id, edit)
    let document = try await BooksDocument.of([book], count: 1, in: library, isWhole: json)
    if json { return try Terminal.say(json: document.books[0]) }
    for line in document.lines(columns: PlainText.outputColumns) { Terminal.say(line) }
  }
}

struct LibraryDelete: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete books, such as text that was read on no book.",
    usage: "swiftwing library delete ID... [--library PATH] [--json]",
    discussion: """
      A deleted book does not return when its spine is scanned again, as long as the library remembers it: \
      it keeps the last 100,000 sightings of deleted books. `library undo` restores the book with its id.
      """)

  @Argument(help: ArgumentHelp("Ids, as `library list` shows them.", valueName: "ID")) var ids: [BookNumber]
  @OptionGroup var place: LibraryPlace
  @Flag(help: "Print JSON.") var json = false

  func run() async throws {
    let books = try await place.open().library.delete(ids.map(\.id))
    if json { return try Terminal.say(json: BooksDocument(count: books.count, books: books)) }
    for book in books {
      let head = "deleted  \(book.id)  "
      Terminal.say(head + PlainText.fitted(book.name, columns: PlainText.outputColumns, less: head.count))
    }
    Terminal.say(books.count == 1 ? "1 book deleted" : "\(books.count) books deleted")
    Terminal.tell("to take it back: `\(try place.command("library", "undo"))`")
  }
}

struct LibraryMerge: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge several records into the first one.",
    usage: "swiftwing library merge ID ID... [--library PATH] [--json]",
    discussion: """
      The first record keeps its name, and gets the values that it lacks and all sightings of the others. \
      Only `library edit --confirm` confirms its name. Records whose spines were seen side by side become \
      one book of several copies; `library edit --copies` sets another number. `library undo` reverts the \
      merge.
      """)

  @Argument(help: ArgumentHelp("Ids, as `library list` shows them.", valueName: "ID")) var ids: [BookNumber]
  @OptionGroup var place: LibraryPlace
  @Flag(help: "Print JSON.") var json = false

  func validate() throws {
    guard Set(ids.map(\.id)).count > 1 else { throw ValidationError("name two books or more") }
  }

  func run() async throws {
    let library = try place.open().library
    let before = try await library.details(of: ids.map(\.id)).map(\.book)
    let book = try await library.merge(ids.map(\.id))
    let document = try await BooksDocument.of([book], count: 1, in: library, isWhole: json)
    if json { return try Terminal.say(json: document.books[0]) }
    for line in document.lines(columns: PlainText.outputColumns) { Terminal.say(line) }
    var told: Set<Book.ID> = [book.id]
    for part in before where told.insert(part.id).inserted {
      let head = "  was \(part.id)  "
      Terminal.say(head + PlainText.fitted(part.name, columns: PlainText.outputColumns, less: head.count))
    }
    if book.confirmedAt == nil {
      Terminal.tell(
        "if its name is right: `\(try place.command("library", "edit", "\(book.id)", "--confirm"))`")
    }
    Terminal.tell("to take it back: `\(try place.command("library", "undo"))`")
  }
}
