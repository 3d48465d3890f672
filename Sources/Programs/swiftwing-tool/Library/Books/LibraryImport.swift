public import ArgumentParser
import Console
public import Library

struct LibraryImport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import books from a table or JSON file: all of them, or none.",
    usage: """
      swiftwing library import FILE [--dry-run] [--library PATH]
                               [--format FORMAT] [--json]
      """,
    discussion: """
      The first line of a table names its columns, in any order: title or isbn, and any other columns of an \
      export, or the names that Goodreads, LibraryThing, Calibre, StoryGraph, BookBuddy, Libib and Zotero \
      use. Other columns are ignored, and a note names them. Commas, semicolons or tabs separate the \
      columns; the file is UTF-8 or UTF-16. A line with the id of a book of this library corrects and \
      confirms that book. Any other book that the library has already only gets missing values. If one line \
      is invalid, nothing is imported.
      """)

  @Argument(help: ArgumentHelp("A file like those of `library export`, up to 4 GB.", valueName: "FILE"))
  var file: String
  @OptionGroup var place: LibraryPlace
  @Option(help: ArgumentHelp("csv, tsv or json; by default as the file's name ends.", valueName: "FORMAT"))
  var format: BookListFormat?
  @Flag(help: "Change nothing, and show what would be changed.") var dryRun = false
  @Flag(help: "Print JSON.") var json = false

  func run() async throws {
    let library = try place.open(making: true).library
    let outcome = try await Interrupts.cancelling { [file, format, dryRun] in
      try await library.importBooks(from: file, as: format, isTrial: dryRun) {
        Terminal.progress("\($0) books read")
      }
    }
    Terminal.progress("")
    if json { return try Terminal.say(json: outcome) }
    if dryRun { for line in outcome.edits.flatMap(Self.lines) { Terminal.say(line) } }
    let would = dryRun ? "would be " : ""
    Terminal.say(
      "\(outcome.read) read: \(outcome.added) \(would)added, \(outcome.changed) \(would)changed")
    if outcome.idsOfOthers > 0 {
      Terminal.tell("note: \(outcome.idsOfOthers) ids of another library were passed over")
    }
    PassedOver.tell(outcome.passedOver, of: file)
  }

  /// Returns a book before and after a change.
  private static func lines(_ edit: ImportOutcome.Edit) -> [String] {
    func text(_ name: ImportOutcome.Edit.Name) -> String {
      [name.title, name.author, name.isbn ?? "", name.format ?? ""].filter { !$0.isEmpty }
        .map(PlainText.printable).joined(separator: " / ")
    }
    let (before, after) = (text(edit.before), text(edit.after))
    return before == after
      ? ["\(edit.id)  \(after): confirmed"] : ["\(edit.id)  - \(before)", "\(edit.id)  + \(after)"]
  }
}

/// Reports the columns of a list that are not read.
enum PassedOver {
  static func tell(_ columns: [String], of file: String) {
    guard !columns.isEmpty else { return }
    let names = columns.prefix(20).map(PlainText.printable).joined(separator: ", ")
    let more = columns.count > 20 ? " and \(columns.count - 20) more" : ""
    Terminal.tell("note: \(file): \(columns.count == 1 ? "column" : "columns") not read: \(names)\(more)")
  }
}

extension BookListFormat: ExpressibleByArgument {}
