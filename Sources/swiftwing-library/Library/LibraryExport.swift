public import ArgumentParser
import Console
public import Delivery

struct LibraryExport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write every book to standard output or to a file.",
    usage: """
      swiftwing library export [--library PATH] [--format FORMAT] [--out FILE]
                               [--json]
      """,
    discussion: """
      CSV by RFC 4180 in UTF-8, its first line naming the columns; or JSON with the same names, one book a line. What a \
      spreadsheet would run as a formula gets an apostrophe before it, which `library import` takes away again.
      """)

  @OptionGroup var place: LibraryPlace
  @Option(help: ArgumentHelp("csv or json; by the file's name, or else csv.", valueName: "FORMAT"))
  var format: BookListFormat?
  @Option(help: ArgumentHelp("Write there, for its owner alone, in one step.", valueName: "FILE")) var out:
    String?
  @Flag(help: "JSON: the books, or with --out what was written.") var json = false

  func run() async throws {
    let library = try place.open().library
    guard let out else {
      let format = format ?? (json ? .json : .csv)
      _ = try await Interrupts.cancelling {
        try await library.export(as: format) { Terminal.write($0, to: 1) }
      }
      return
    }
    let destination = try Destination(out, madeOf: place.files())
    let format = format ?? BookListFormat(fileName: out) ?? .csv
    let count = try await Interrupts.cancelling { try await library.export(to: out, as: format) }
    destination.tellReplaced()
    if json { return try Terminal.say(json: Written(out: out, format: format, books: count)) }
    Terminal.say("\(out): \(count == 1 ? "1 book" : "\(count) books")")
  }

  private struct Written: Encodable {
    var out: String
    var format: BookListFormat
    var books: Int
  }
}

extension BookListFormat: ExpressibleByArgument {}
