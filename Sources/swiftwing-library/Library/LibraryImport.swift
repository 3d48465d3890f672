import ArgumentParser
import Console
import Delivery

struct LibraryImport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Read books from a CSV or JSON file: all of them, or none.",
    usage: """
      swiftwing library import FILE [--library PATH] [--format FORMAT] [--json]
      """,
    discussion: """
      CSV names its columns in the first line: title or isbn, and if there are any author, format, coverURL, addedAt, \
      confidence. A book that is there already learns what it lacks. A file with one wrong line is refused whole.
      """)

  @Argument(help: ArgumentHelp("What `library export` writes, or alike; up to 4 GB.", valueName: "FILE"))
  var file: String
  @OptionGroup var place: LibraryPlace
  @Option(help: ArgumentHelp("csv or json; by the file's name when not given.", valueName: "FORMAT"))
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
