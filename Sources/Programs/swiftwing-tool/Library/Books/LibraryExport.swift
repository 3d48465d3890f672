public import ArgumentParser
import Console
public import Library
import Uploads

struct LibraryExport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write every book to standard output or to a file.",
    usage: """
      swiftwing library export [--all] [--library PATH] [--format FORMAT]
                               [--out FILE] [--json]
      """,
    discussion: """
      CSV is written by RFC 4180 in UTF-8 with a byte order mark; its first line names the columns. TSV is the same with tabs. JSON has the same \
      names, one book per line. Text that a spreadsheet would run as a formula gets an apostrophe in front, which `library import` removes \
      again. Each book has its id and the library's identity, so that `library import` finds it again when you have corrected it.
      """)

  @OptionGroup var place: LibraryPlace
  @Option(
    help: ArgumentHelp("csv, tsv or json; by default as the file's name ends, else csv.", valueName: "FORMAT")
  )
  var format: BookListFormat?
  @Option(
    help: ArgumentHelp(
      "Write to this file; only you can read it, and it is never half written.", valueName: "FILE")) var out:
    String?
  @Flag(help: "Export the unlikely books too.") var all = false
  @Flag(help: "Print JSON: the books, or with --out what was written.") var json = false

  func run() async throws {
    let library = try place.open().library
    let selection: Library.Selection = all ? .all : .listed
    guard let out else {
      let format = format ?? (json ? .json : .csv)
      _ = try await Interrupts.cancelling {
        try await library.export(selection, as: format) { Terminal.write($0, to: 1) }
      }
      return
    }
    let destination = try Destination(out, madeOf: place.files())
    let format = format ?? BookListFormat(fileName: out) ?? .csv
    let count = try await Interrupts.cancelling { try await library.export(selection, to: out, as: format) }
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
