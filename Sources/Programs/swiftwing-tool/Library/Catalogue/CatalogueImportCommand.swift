import ArgumentParser
import Catalogue
import Console
import Foundation
import Glibc

extension CatalogueFormat: ExpressibleByArgument {}

/// `swiftwing catalogue import`: makes a catalogue from lists of books.
struct CatalogueImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Make a catalogue from lists of books.",
    usage: """
      swiftwing catalogue import FILE... --out CATALOGUE
                                 [--format csv|marc|openlibrary] [--json]
      """,
    discussion: """
      csv is a table whose first line names its columns: title, subtitle, author, isbn, volume, edition, \
      publisher, or the names that other programs use; commas, semicolons or tabs separate them. Other \
      columns are ignored, and a note names them. marc is MARC 21, binary or as XML. openlibrary is a dump \
      of editions, works and authors, which must be imported together. Files may be compressed by gzip.

      The catalogue replaces an existing file of that name once it is complete; ^C keeps the old file. A \
      database that is no catalogue, such as a library, is not replaced. \
      Records that cannot be read are skipped and counted, and the first error of each file is printed.
      """)

  @Argument(help: ArgumentHelp("The lists.", valueName: "FILE")) var files: [String]
  @Option(help: ArgumentHelp("The catalogue to make.", valueName: "CATALOGUE")) var out: String
  @Option(
    help: ArgumentHelp("Of all files; by default as their names end.", valueName: "csv|marc|openlibrary"))
  var format: CatalogueFormat?
  @Flag(help: "Print JSON.") var json = false

  func run() async throws {
    let job = try CatalogueImport(files, as: format)
    let destination = try Destination(out, madeOf: files, database: Catalogue.applicationID)
    let made = Date().formatted(.iso8601)
    let abandon: @Sendable () -> Void = { [out] in unlink(job.draft(of: out)) }
    let outcome = try await Interrupts.cancelling(abandoning: abandon) { [out] in
      try await job.write(to: out, made: made) { count, isIndexing in
        Terminal.progress("\(count) books \(isIndexing ? "indexed" : "read")")
      }
    }
    Terminal.endProgress()
    destination.tellReplaced()
    outcome.files.forEach(Self.tell)
    if json { return try Terminal.say(json: Written(out: out, books: outcome.books, files: outcome.files)) }
    for file in outcome.files {
      let passed = file.passed == 0 ? "" : "; \(file.passed) records are no books"
      Terminal.say("\(file.path): \(Self.books(file.books))\(passed)")
    }
    Terminal.say("\(out): \(Self.books(outcome.books))")
  }

  private static func tell(_ file: CatalogueImportOutcome.File) {
    func note(_ count: Int, _ what: String, first: String?) {
      guard count > 0 else { return }
      Terminal.tell("note: \(file.path): \(count) \(what)\(first.map { "; \($0)" } ?? "")")
    }
    note(
      file.damaged, file.damaged == 1 ? "record was not read" : "records were not read",
      first: file.firstDamage)
    note(
      file.leftOut, file.leftOut == 1 ? "ISBN was left out" : "ISBNs were left out", first: file.firstLeftOut)
    PassedOver.tell(file.passedOver, of: file.path)
  }

  private static func books(_ count: Int) -> String { count == 1 ? "1 book" : "\(count) books" }

  private struct Written: Encodable {
    var out: String
    var books: Int
    var files: [CatalogueImportOutcome.File]
  }
}
