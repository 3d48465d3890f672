import ArgumentParser
import Console
import Library

struct LibraryExport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write every book to standard output or to a file.",
    usage: """
      swiftwing library export [--all] [--library PATH] [--format FORMAT]
                               [--sort shelf|title|author|added] [--out FILE]
                               [--json]
      """,
    discussion: """
      CSV follows RFC 4180, in UTF-8 with a byte order mark; its first line names the columns. TSV is the \
      same with tabs. JSON has the same names, one book per line. Text that a spreadsheet would run as a \
      formula gets an apostrophe in front, which `library import` removes again. Each book has its id and \
      the library's identity, by which `library import` finds the book after you have corrected the file, \
      and the number of its copies.

      Other programs read marc (MARC 21), marcxml, bibtex, and tables with the columns of goodreads, \
      librarything and calibre. In these, a book has an ISBN only if the ISBN comes from a barcode, a \
      catalogue or you. `library import` does not read them.
      """)

  @OptionGroup var place: LibraryPlace
  @Option(
    help: ArgumentHelp(
      "csv, tsv, json, marc, marcxml, bibtex, goodreads, librarything or calibre; by default as the file's name ends, else csv.",
      valueName: "FORMAT"), completion: .list(ExportFormat.names))
  var format: ExportFormat?
  @Option(
    help: ArgumentHelp(
      "Write to this file; only you can read it, and it is never half written.", valueName: "FILE")) var out:
    String?
  @Option(help: ArgumentHelp("In which order: shelf, title, author or added.", valueName: "ORDER"))
  var sort = Library.Order.shelf
  @Flag(help: "Also export books that are probably none.") var all = false
  @Flag(help: "Print JSON: the books, or with --out what was written.") var json = false

  func run() async throws {
    let library = try place.open().library
    let selection: Library.Selection = all ? .all : .listed
    guard let out else {
      let format = format ?? (json ? .list(.json) : .list(.csv))
      _ = try await Interrupts.cancelling {
        try await library.export(selection, in: sort, by: format.writing) { Terminal.write($0, to: 1) }
      }
      return
    }
    let destination = try Destination(out, madeOf: place.files())
    let format = format ?? ExportFormat(fileName: out)
    let count = try await Interrupts.cancelling {
      try await library.export(selection, in: sort, to: out, by: format.writing)
    }
    destination.tellReplaced()
    if json { return try Terminal.say(json: Written(out: out, format: format.name, books: count)) }
    Terminal.say("\(out): \(count == 1 ? "1 book" : "\(count) books")")
  }

  private struct Written: Encodable {
    var out: String
    var format: String
    var books: Int
  }
}

/// The format of an export: a list that can be imported again, or one for another program.
enum ExportFormat: ExpressibleByArgument, Sendable, Equatable {
  case list(BookListFormat)
  case program(ProgramListFormat)

  static let names =
    BookListFormat.allCases.map(\.rawValue) + ProgramListFormat.allCases.map(\.rawValue)

  init?(argument: String) {
    if let format = BookListFormat(rawValue: argument) {
      self = .list(format)
    } else if let format = ProgramListFormat(rawValue: argument) {
      self = .program(format)
    } else {
      return nil
    }
  }

  /// Chooses the format by the file name's extension; a CSV table for an unknown one.
  init(fileName: String) {
    self =
      ProgramListFormat(fileName: fileName).map(Self.program)
      ?? .list(BookListFormat(fileName: fileName) ?? .csv)
  }

  var writing: any BookListWriting {
    switch self {
    case .list(let format): format
    case .program(let format): format
    }
  }

  var name: String {
    switch self {
    case .list(let format): format.rawValue
    case .program(let format): format.rawValue
    }
  }
}
