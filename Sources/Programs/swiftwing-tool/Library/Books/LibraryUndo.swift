import ArgumentParser
import Console
import Foundation
import Library

struct LibraryUndo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back the last changes to the library.",
    usage: """
      swiftwing library undo [N | --change ID | --list] [--library PATH]
                             [--json]
      """,
    discussion: """
      Changes are made by add, edit, delete, split, merge, review, import and duplicates --merge; the \
      library remembers the last 1,000. Later scans are kept. If a newer value would be lost, nothing is \
      undone, and the reason is printed.
      """)

  @Argument(help: ArgumentHelp("How many changes, the latest first.", valueName: "N")) var count: Int?
  @Option(help: ArgumentHelp("Take back only this change, as --list shows it.", valueName: "ID"))
  var change: BookNumber?
  @Flag(help: "List the changes, the latest first.") var list = false
  @OptionGroup var place: LibraryPlace
  @Flag(help: "Print JSON.") var json = false

  func validate() throws {
    guard [count != nil, change != nil, list].count(where: \.self) <= 1 else {
      throw ValidationError("give only one of a number, --change and --list")
    }
    guard (1...1000).contains(count ?? 1) else {
      throw ValidationError("the number of changes must be 1 to 1000, not \(count ?? 1)")
    }
  }

  func run() async throws {
    let library = try place.open().library
    let changes =
      if list { try await library.changes() } else if let change {
        [try await library.undo(change: change.id)]
      } else { try await library.undo(count ?? 1) }
    if json { return try Terminal.say(json: Outcome(changes: changes, takenBack: list ? 0 : changes.count)) }
    for change in changes {
      let head = list ? "" : "taken back: "
      let line = PlainText.fitted(Self.line(change), columns: PlainText.outputColumns, less: head.count)
      Terminal.say(head + line)
    }
    if changes.isEmpty { Terminal.tell(list ? "there are no changes" : "there is nothing to take back") }
  }

  private struct Outcome: Encodable {
    /// The changes that are listed or were undone.
    var changes: [LibraryChange]
    /// The number of changes that were undone: all or none.
    var takenBack: Int
  }

  static func line(_ change: LibraryChange) -> String {
    let note = change.canBeUndone ? "" : " (too large to be taken back)"
    return PlainText.printable(
      "\(change.id)  \(change.madeAt.formatted(.iso8601))  \(change.kind.rawValue)  \(change.subject)\(note)")
  }
}
