import ArgumentParser
import BookScan
import Console
import Foundation
import Harness
import Library
import ScanStation
import System
import Uploads

/// One run that delivers photographs, or only the queue, to a library, from start to its summary.
struct PhotographRun {
  private let photographs: [Photograph]
  private let again: Bool
  private let library: String
  private let view: any PhotographView

  /// Creates a run.
  /// - Parameter library: the folder of the library.
  init(_ photographs: [Photograph], again: Bool, library: String, json: Bool) {
    self.photographs = photographs
    self.again = again
    self.library = library
    view = json ? PhotographJSON() : PhotographText()
  }

  /// Runs.
  /// - Throws: the reason why the run could not start or ended early; `ExitCode` 2 if a photograph could not be read.
  func run(
    _ ways: WayOptions, _ options: RecognitionOptions, catalogue: CataloguePlace
  ) async throws {
    let store = try Store(directory: library)
    let setup = try RecognitionSetup(ways, options, catalogue: catalogue, library: library, keepsCut: true)
    let station = PhotographStation(
      store: store, recognition: setup.recognition, journal: setup.journal)
    view.begin(ways: setup.recognition.ways, reader: setup.reader, library: library, count: photographs.count)
    let remedy = options.level == .fast ? "with --again, without --level fast" : nil
    let summary = try await run(station, store, remedy: remedy)
    if summary.failed > 0 { throw ExitCode(.usage) }
  }

  /// - Parameter remedy: how photographs without a book may be read again; nil if there is no better way.
  private func run(
    _ station: PhotographStation, _ store: Store, remedy: String?
  ) async throws -> PhotographSummary {
    let tally = Locked((sums: PhotographTally(), bookless: BooklessPhotographs()))
    let end = { @Sendable [view] (shelf: ShelfCounts?, isInterrupted: Bool) in
      let (sums, bookless) = tally.withLock { ($0.sums, $0.bookless) }
      view.end(sums.summary, shelf, bookless, remedy: remedy, isInterrupted: isInterrupted)
    }
    // Queued photographs are on disk and delivered ones in the library, so ^C may end the program at any point.
    let interrupts = Interrupts.Watch { _ in
      end(nil, true)
      Terminal.end(
        with: "swiftwing: interrupted; the same command goes on where this one stopped", Interrupts.status)
    }
    defer { interrupts.end() }
    let watching = Task { [view] in
      for await event in station.events {
        tally.withLock {
          $0.sums.note(event)
          $0.bookless.note(event)
        }
        view.show(event)
      }
    }
    var failure: (any Error)?
    do { try await station.run(photographs, again: again) } catch { failure = error }
    await watching.value
    end(try? await ShelfCounts(store.library), false)
    if let failure { throw failure }
    return tally.withLock { $0.sums.summary }
  }
}

/// Notes for a person about files that a search for photographs passed over.
enum FolderNotes {
  static func tell(_ search: PhotographSearch) {
    let parts = [
      (search.hidden, "hidden"), (search.links, "links"), (search.others, "neither JPEG nor PNG"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    if !parts.isEmpty { Terminal.tell("note: passed over: \(parts.joined(separator: ", "))") }
    for path in search.unreadable.prefix(5) {
      // The bytes of a name that are not UTF-8 became U+FFFD.
      let reason =
        path.unicodeScalars.contains("\u{FFFD}")
        ? "whose name is not UTF-8; rename it"
        : "which cannot be opened or lies too deep; check its permissions, or name it by itself"
      Terminal.tell("note: passed over \(path), \(reason)")
    }
    if search.unreadable.count > 5 {
      Terminal.tell(
        "note: passed over \(search.unreadable.count - 5) more that cannot be opened or lie too deep")
    }
    if search.isCut {
      Terminal.tell(
        "note: the photographs after the first \(PhotographSearch.limit) are left for another run")
    }
  }

  /// Checks that there are photographs.
  /// - Throws: `Failure` if there is nothing to read.
  static func check(_ search: PhotographSearch, _ names: [String]) throws {
    guard search.photographs.isEmpty else { return }
    let place = names.count == 1 ? names[0] : "the \(names.count) folders that were named"
    throw Failure(
      "Cannot read photographs of \(place) (there is no JPEG or PNG file in it); name a folder that has some.",
      .usage)
  }
}
