import BookScan
import Foundation
import Imagery
import Library
import Testing
import Uploads

@testable import ScanStation

/// The identity of spines from one process to the next.
@Suite final class RestartTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "restart-\(UUID().uuidString)")
    .path
  private let size = PixelSize(width: 1000, height: 800)

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// One scanning process: its store, its journal and its reader.
  private struct Life {
    let store: Store
    let journal = ScanJournal(keepsCut: true)
    let reader: QueueReader

    init(_ folder: String, _ reading: PhotoReader.Reading) async throws {
      store = try Store(directory: folder)
      journal.restore(try await store.library.spines(limit: SpineRegister.limit))
      reader = QueueReader(
        store: store, reader: PhotoReader(name: "scripted") { _ in reading }, journal: journal,
        clock: SteppedClock())
    }

    func scan() async throws {
      try await store.queue.accept(Submission(content: .image([0xFF], mediaType: "image/jpeg")))
      await reader.run(untilDrained: true)
    }

    var spines: [Spine] { get async throws { try await store.library.spines(limit: 100) } }
    var titles: [String] { get async throws { try await store.library.books().map(\.title).sorted() } }
  }

  private func reading(_ spines: [(String, Double)], x: Double = 100) -> PhotoReader.Reading {
    PhotoReader.Reading(
      size: size,
      sightings: spines.enumerated().map { index, spine in
        SpineSighting(
          spine: SpineFinding(
            title: spine.0, confidence: spine.1,
            box: Box(x: x + 60 * Double(index), y: 50, width: 30, height: 500), angle: 90))
      })
  }

  @Test func everySpineKeepsItsIdAndCopiesStayApart() async throws {
    let shelf = [("Emma", 0.9), ("Emma", 0.9), ("Dune", 0.9)]
    let before = try await {
      let life = try await Life(folder, reading(shelf, x: 300))
      try await life.scan()
      return (try await life.spines, life.journal.copies)
    }()
    #expect(before.0.map(\.title) == ["Emma", "Emma", "Dune"] && Set(before.0.map(\.id)).count == 3)
    // The shelf has moved in the picture, and one spine is misread. Its place identifies it.
    let life = try await Life(folder, reading([("Emma", 0.9), ("Emna?", 0.5), ("Dune", 0.9)], x: 250))
    #expect(life.journal.copies == before.1)
    try await life.scan()
    let after = try await life.spines
    #expect(after.map(\.id) == before.0.map(\.id) && after.map(\.sightings) == [2, 2, 2])
    #expect(after.map(\.photo) == [2, 2, 2] && after.map(\.view) == [1, 1, 1])
    #expect(try await life.titles == ["Dune", "Emma"])
  }

  @Test func aSurerReadingCorrectsABookOfAnEarlierProcess() async throws {
    try await {
      try await Life(folder, reading([("Dracola", 0.7), ("Walden", 0.9)])).scan()
    }()
    let life = try await Life(folder, reading([("Dracula", 0.95), ("Walden", 0.9)]))
    try await life.scan()
    #expect(try await life.titles == ["Dracula", "Walden"])
    // The book has the confidence of the surer reading.
    let third = try await life.store.library.books().first { $0.title == "Dracula" }
    #expect(third?.spineConfidence == 0.95)
  }

  /// Findings that a process reported but did not store get the same ids in the next process.
  @Test func aPhotoThatIsReadAgainHasTheSameFindingsAndSpines() throws {
    let scan = UUID()
    let photo = reading([("Emma", 0.9), ("Dune", 0.8)])
    let (first, second) = (ScanJournal(keepsCut: true), ScanJournal(keepsCut: true))
    let told = first.register(photo, of: scan)
    #expect(told == second.register(photo, of: scan))
    #expect(told.map(\.id) == told.map { $0.spine?.id } && Set(told.map(\.id)).count == 2)
  }

  @Test func aFragmentGoesInTheSameCommit() async throws {
    func part(_ title: String, y: Double, height: Double) -> SpineSighting {
      SpineSighting(
        spine: SpineFinding(
          title: title, confidence: 0.9, box: Box(x: 500, y: y, width: 30, height: height), angle: 90))
    }
    let others = reading([("Dracula", 0.9), ("Walden", 0.9)]).sightings
    let apart = PhotoReader.Reading(
      size: size,
      sightings: [
        part("The Moonstone", y: 100, height: 250), part("Wilkie Collins", y: 400, height: 200),
      ] + others)
    let whole = PhotoReader.Reading(
      size: size, sightings: [part("The Moonstone Wilkie Collins", y: 100, height: 500)] + others)
    try await {
      let life = try await Life(folder, apart)
      try await life.scan()
      #expect(try await life.titles == ["Dracula", "The Moonstone", "Walden", "Wilkie Collins"])
    }()
    let life = try await Life(folder, whole)
    try await life.scan()
    #expect(try await life.titles == ["Dracula", "The Moonstone", "Walden"])
    #expect(try await life.spines.count == 3)
    let book = try #require(try await life.store.library.search("moonstone").first)
    #expect(try await life.store.library.sightings(of: book) == 3)
  }
}
