import ArgumentParser
import Catalogue
import Console

struct CatalogueInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show the contents of a catalogue.")

  @OptionGroup var place: CataloguePlace
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let info = try place.open().info()
    if json { return try Terminal.say(json: info) }
    let (books, isbns) = (info.books == 1 ? "book" : "books", info.isbns == 1 ? "ISBN" : "ISBNs")
    Terminal.say(
      "\(info.books) \(books), \(info.isbns) \(isbns), \(info.bytes / 1024) KB; made \(info.made) of")
    for source in info.sources { Terminal.say("  \(source)") }
  }
}
