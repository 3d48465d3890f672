import Bibliography
import BookScan
import Console
import Foundation
import ScanStation
import ShelfReading
import System

/// Compares photographs with a list. The list is read before any photograph, and the result is printed after the last.
struct HoldingsRun {
  private let list: [Holding]
  private let options: HoldingsOptions
  private let destination: Destination?
  private var photographs = ShelfPhotographs()

  /// Reads the list.
  /// - Parameter inputs: the other files that will be read.
  /// - Returns: nil if no list was named.
  /// - Throws: if the list cannot be read, or if the worklist would overwrite an input.
  init?(_ options: HoldingsOptions, madeOf inputs: [String]) throws {
    guard let name = options.holdings, let list = try options.read() else { return nil }
    self.list = list
    self.options = options
    destination = try options.worklist.map {
      try Destination($0, option: "--worklist", madeOf: inputs + [name])
    }
  }

  mutating func add(_ photo: String, _ findings: PhotoFindings) { photographs.add(photo, findings) }

  /// Prints the result, and writes the worklist.
  func finish(json: Bool) throws -> ShelfWorklist {
    let worklist = ShelfWorklist(
      photographs, against: list, named: options.holdings ?? "", by: options.order)
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      Terminal.say(document: String(decoding: try encoder.encode(worklist), as: UTF8.self))
    } else {
      for line in WorklistText.lines(worklist, columns: PlainText.outputColumns) { Terminal.say(line) }
    }
    if worklist.counts.misplaced > worklist.counts.present {
      Terminal.tell(
        "note: more books are misplaced than in place; if the shelves stand in another order, name it with --order"
      )
    }
    try write(worklist)
    return worklist
  }

  private func write(_ worklist: ShelfWorklist) throws {
    guard let destination else { return }
    do {
      try DurableFile.replace(destination.path, with: Array(WorklistTable.text(worklist).utf8), mode: 0o644)
    } catch {
      throw PhotoFileError(writing: destination.path, code: error.code)
    }
    destination.tellReplaced()
  }
}
