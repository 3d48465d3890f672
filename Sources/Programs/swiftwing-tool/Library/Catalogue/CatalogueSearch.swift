import ArgumentParser
import Catalogue
import Console

struct CatalogueSearch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find books of a catalogue by their words, or by ISBN.",
    usage: """
      swiftwing catalogue search WORD... [--catalogue FILE] [--limit N]
                                 [--json]
      """,
    discussion: """
      A book must have every word in title, subtitle, author, volume or publisher. Accents and upper case do not matter. The last word may be the beginning of one.
      """)

  @Argument(help: ArgumentHelp("The words to look for.", valueName: "WORD")) var words: [String]
  @OptionGroup var place: CataloguePlace
  @Option(help: ArgumentHelp("List at most this many books, up to 500.", valueName: "N")) var limit = 50
  @Flag(help: "Print JSON.") var json = false

  func validate() throws {
    guard (0...500).contains(limit) else { throw ValidationError("--limit must be 0 to 500, not \(limit)") }
  }

  func run() throws {
    let books = try place.open().search(words.joined(separator: " "), limit: limit)
    if json { return try Terminal.say(json: ["books": books]) }
    for book in books { Terminal.say(Self.line(book)) }
    if books.isEmpty { Terminal.tell("no book matches") }
  }

  private static func line(_ book: CatalogueBook) -> String {
    let title = [book.title, book.volume].compactMap(\.self).joined(separator: ", ")
    let more = [
      book.subtitle.map { " : \($0)" }, book.author.map { " / \($0)" }, book.edition.map { " (\($0))" },
    ]
    return "\((book.isbns.first ?? "").padded(to: 13))  \(title)\(more.compactMap(\.self).joined())"
  }
}
