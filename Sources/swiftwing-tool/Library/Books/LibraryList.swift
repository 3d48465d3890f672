import ArgumentParser
import Console
import Delivery

struct LibraryList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the books, latest first.")

  @OptionGroup var place: LibraryPlace
  @Option(help: ArgumentHelp("List at most this many books.", valueName: "N")) var limit = 100
  @Flag(help: "Print JSON.") var json = false

  func validate() throws {
    guard (0...1_000_000).contains(limit) else { throw ValidationError("--limit must be 0 to 1000000") }
  }

  func run() async throws {
    let library = try place.open().library
    let (books, count) = (try await library.books(limit: limit), try await library.count())
    let document = BooksDocument(count: count, books: books)
    if json { return try Terminal.say(json: document) }
    for line in document.lines(columns: PlainText.outputColumns) { Terminal.say(line) }
    if books.count < count { Terminal.say("… and \(count - books.count) more; see --limit") }
    Terminal.say(count == 1 ? "1 book" : "\(count) books")
  }
}

struct LibrarySearch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find books by words of title and author, or by ISBN.",
    usage: """
      swiftwing library search WORD... [--library PATH] [--limit N] [--json]
      """,
    discussion:
      "A book must have every word. Accents and upper case do not matter. The last word may be the beginning of one."
  )

  @Argument(help: ArgumentHelp("What to look for.", valueName: "WORD")) var words: [String]
  @OptionGroup var place: LibraryPlace
  @Option(help: ArgumentHelp("List at most this many books, up to 500.", valueName: "N")) var limit = 50
  @Flag(help: "Print JSON.") var json = false

  func validate() throws {
    guard (0...500).contains(limit) else { throw ValidationError("--limit must be 0 to 500") }
  }

  func run() async throws {
    let books = try await place.open().library.search(words.joined(separator: " "), limit: limit)
    let document = BooksDocument(count: books.count, books: books)
    if json { return try Terminal.say(json: document) }
    for line in document.lines(columns: PlainText.outputColumns) { Terminal.say(line) }
    if books.isEmpty { Terminal.tell("no book matches") }
  }
}
