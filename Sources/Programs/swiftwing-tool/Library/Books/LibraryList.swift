public import ArgumentParser
import Console
public import Library

struct LibraryList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the books as they stand on the shelf, or sorted.",
    usage: """
      swiftwing library list [--sort shelf|title|author|added] [--limit N]
                             [--doubtful | --all] [--library PATH] [--json]
      """,
    discussion: """
      By default the books are in the order of the shelf: photograph after photograph, each row of books \
      from the top, each from the left; then the books that no photograph shows. If the location of a shelf \
      is known, a line above its books gives it. --sort author sorts by the last name, --sort added has the \
      latest first.

      A line has the id, the day on which the book was added, the certainty of the reading, the ISBN if a \
      listed book has one, title and author. ? marks doubtful books, ?? unlikely ones and ✓ those that a person has confirmed.
      """)

  @OptionGroup var place: LibraryPlace
  @Option(help: ArgumentHelp("List at most this many books; 100 by default.", valueName: "N")) var limit = 100
  @Option(help: ArgumentHelp("In which order: shelf, title, author or added.", valueName: "ORDER"))
  var sort = Library.Order.shelf
  @Flag(help: "List only the doubtful ones.") var doubtful = false
  @Flag(help: "Also list books that are probably none; they wait for `library review`.") var all = false
  @Flag(help: "Print JSON.") var json = false

  /// The range of `--limit`.
  static let limits = 0...1_000_000

  func validate() throws {
    guard Self.limits.contains(limit) else {
      throw ValidationError("--limit must be 0 to 1000000, not \(limit)")
    }
    guard !(doubtful && all) else { throw ValidationError("give --doubtful or --all, not both") }
  }

  func run() async throws {
    let library = try place.open().library
    let selection: Library.Selection = doubtful ? .doubtful : all ? .all : .listed
    let books = try await library.books(in: sort, limit: limit, selection)
    let count = try await library.count(selection)
    let document = try await BooksDocument.of(books, count: count, in: library, isWhole: json)
    if json { return try Terminal.say(json: document) }
    let locations = sort == .shelf ? try await library.places(of: books).mapValues { $0.location ?? "" } : [:]
    for line in document.lines(columns: PlainText.outputColumns, locations: locations) { Terminal.say(line) }
    Terminal.say(BooksDocument.sum(count, listed: books.count))
    for (certainty, words, options) in [
      (BookFinding.Certainty.doubtful, "to look at", []), (.unlikely, "probably no books", ["--unlikely"]),
    ] {
      let waiting = try await library.countToReview(certainty)
      let command = try place.command((["library", "review"] + options).joined(separator: " "))
      if waiting > 0 { Terminal.tell("\(waiting) \(words): `\(command)`") }
    }
  }
}

extension Library.Order: ExpressibleByArgument {}

struct LibrarySearch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find books by words of title and author, or by ISBN.",
    usage: """
      swiftwing library search WORD... [--all] [--library PATH] [--limit N]
                               [--json]
      """,
    discussion:
      "A book must have every word. Accents and upper case do not matter. The last word may be the beginning of one."
  )

  @Argument(help: ArgumentHelp("The words to look for.", valueName: "WORD")) var words: [String]
  @OptionGroup var place: LibraryPlace
  @Option(help: ArgumentHelp("List at most this many books, up to 500.", valueName: "N")) var limit = 50
  @Flag(help: "Also search books that are probably none.") var all = false
  @Flag(help: "Print JSON.") var json = false

  func validate() throws {
    guard (0...500).contains(limit) else { throw ValidationError("--limit must be 0 to 500, not \(limit)") }
  }

  func run() async throws {
    let library = try place.open().library
    let books = try await library.search(words.joined(separator: " "), limit: limit, all ? .all : .listed)
    let document = try await BooksDocument.of(books, count: books.count, in: library, isWhole: json)
    if json { return try Terminal.say(json: document) }
    for line in document.lines(columns: PlainText.outputColumns) { Terminal.say(line) }
    if books.isEmpty { Terminal.tell("no book matches") }
  }
}
