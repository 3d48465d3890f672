import ArgumentParser
import Bibliography
import Catalogue
import Console
import ShelfReading

/// The options of a list of books that should be on the shelves, and of their order.
struct HoldingsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Compare the shelves with this list of what should stand there: .csv, .tsv, .mrc or .xml.",
      valueName: "FILE"))
  var holdings: String?
  @Option(
    help: ArgumentHelp(
      "The order of the shelves: dewey, congress, mark, author or list; by default it follows from the "
        + "list's marks.",
      valueName: "ORDER"))
  var order: ShelfRule?
  @Option(help: ArgumentHelp("Write the tasks at the shelves to this CSV file.", valueName: "FILE"))
  var worklist: String?

  func validate() throws {
    if holdings == nil, order != nil || worklist != nil {
      throw ValidationError("--order and --worklist are about a list of holdings; add --holdings FILE")
    }
  }

  /// Reads the list; nil if none was named. Reports the parts of it that were not read.
  func read() throws -> [Holding]? {
    guard let holdings else { return nil }
    let list = try HoldingsList(holdings)
    for note in list.notes { Terminal.tell("note: \(note)") }
    return list.books
  }
}

extension ShelfRule: ExpressibleByArgument {}
