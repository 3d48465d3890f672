import ArgumentParser
import Bibliography
import Catalogue
import Console
import Harness
import System

struct CatalogueMatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match", abstract: "Find the catalogue's book for a reading.",
    usage: """
      swiftwing catalogue match TEXT [--author TEXT] [--isbn ISBN]
                                [--catalogue FILE] [--json]
      """,
    discussion: """
      TEXT is the text that was read on a spine, with or without the author. Exit status 1 if no book fits \
      well, or several fit alike. --json prints {"match": {"title", "author", "isbn", "score"}, \
      "milliseconds"}, with null for no match.
      """)

  @Argument(help: ArgumentHelp("What was read.", valueName: "TEXT")) var text: String
  @Option(help: ArgumentHelp("The author, if it was read apart.", valueName: "TEXT")) var author: String?
  @Option(help: ArgumentHelp("The ISBN of a barcode.", valueName: "ISBN")) var isbn: String?
  @OptionGroup var place: CataloguePlace
  @Flag(help: "Print JSON.") var json = false

  func validate() throws {
    if let isbn, ISBN.normalize(isbn) == nil {
      throw ValidationError("--isbn \(isbn.prefix(40)) is not an ISBN; check its digits")
    }
  }

  func run() throws {
    let catalogue = try place.open()
    let started = MonotonicTime.now()
    let match = try catalogue.match(title: text, author: author, isbn: isbn).map(CatalogueName.init)
    let milliseconds = Double((MonotonicTime.now() - started) / .microseconds(1)) / 1000
    if json {
      try Terminal.say(json: Answer(match: match, milliseconds: milliseconds))
    } else if let match {
      Terminal.say(match.line)
    } else {
      Terminal.tell("no book of the catalogue fits well")
    }
    if match == nil { throw ExitCode(.failed) }
  }

  private struct Answer: Encodable {
    var match: CatalogueName?
    var milliseconds: Double

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(match, forKey: .match)
      try container.encode(milliseconds, forKey: .milliseconds)
    }

    enum Key: CodingKey { case match, milliseconds }
  }
}
