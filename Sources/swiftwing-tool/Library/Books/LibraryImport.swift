import ArgumentParser
import Console
import Delivery

struct LibraryImport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import books from a CSV or JSON file: all of them, or none.",
    usage: """
      swiftwing library import FILE [--library PATH] [--format FORMAT] [--json]
      """,
    discussion: """
      The first line of a CSV file names its columns: title or isbn, and any of author, format, coverURL, addedAt and \
      confidence. A book that the library has already is only completed. If one line is wrong, nothing is imported.
      """)

  @Argument(help: ArgumentHelp("A file like those of `library export`, up to 4 GB.", valueName: "FILE"))
  var file: String
  @OptionGroup var place: LibraryPlace
  @Option(help: ArgumentHelp("csv or json; by default as the file's name ends.", valueName: "FORMAT"))
  var format: BookListFormat?
  @Flag(help: "Print JSON.") var json = false

  func run() async throws {
    let library = try place.open(making: true).library
    let outcome = try await Interrupts.cancelling { [file, format] in
      try await library.importBooks(from: file, as: format) { Terminal.progress("\($0) books read") }
    }
    Terminal.progress("")
    if json { return try Terminal.say(json: outcome) }
    Terminal.say("\(outcome.read) read: \(outcome.added) added, \(outcome.changed) changed")
  }
}
