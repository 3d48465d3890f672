import BookScan
import Foundation
import Imagery
import Library
import System
import Testing
import Uploads

@testable import ScanStation

/// Scans of a folder's photographs into a library.
@Suite struct PhotographStationTests {
  @Test func everyPhotographIsReadOnceWhateverItIsCalled() async throws {
    let fixture = try PhotographFixture()
    let first = try fixture.add("1.jpg", "Dune,Emma")
    try fixture.add("2.jpg", "Walden,Dracula")
    try fixture.add("copy of 1.jpg", "Dune,Emma")
    let run = try await fixture.run()
    #expect(run.summary.read == 2 && run.summary.copies == 1 && run.summary.new == 4)
    #expect(
      run.news.contains {
        if case .copy(_, let of) = $0 { of == first } else { false }
      })
    #expect(run.progress.map(\.done) == [1, 2, 3] && run.progress.allSatisfy { $0.total == 3 })
    // The queue has deleted its copies of the photographs.
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(fixture.library)/images").isEmpty)
    try FileManager.default.moveItem(
      atPath: first, toPath: fixture.folder.appending(path: "renamed.jpg").path)
    let second = try await fixture.run()
    #expect(second.summary.read == 0 && second.summary.known == 2 && second.summary.copies == 1)
    let paths = try await fixture.look { store in
      try await store.library.places(of: store.library.books(in: .shelf, limit: 9)).values.compactMap(\.path)
    }
    // The books' places have the current file names.
    #expect(
      Set(paths.map { String($0.suffix(11)) }).contains("renamed.jpg")
        || paths.contains { $0.hasSuffix("copy of 1.jpg") })
    #expect(paths.count == 4 && paths.allSatisfy { $0.hasPrefix("/") })
    #expect(fixture.read.withLock { $0.count } == 2)
    #expect(try await fixture.titles == ["Dracula", "Dune", "Emma", "Walden"])
  }

  @Test func aPhotographThatHasChangedIsANewOne() async throws {
    let fixture = try PhotographFixture()
    try fixture.add("1.jpg", "Dune")
    _ = try await fixture.run()
    try fixture.add("1.jpg", "Dune,Emma")
    let run = try await fixture.run()
    #expect(run.summary.read == 1 && run.summary.known == 0)
    #expect(try await fixture.titles == ["Dune", "Emma"])
  }

  @Test func readAgainNothingIsDoubled() async throws {
    let fixture = try PhotographFixture()
    try fixture.add("1.jpg", "Dune,Emma,Emma")
    try fixture.add("2.jpg", "Walden,Dracula")
    _ = try await fixture.run()
    func state() async throws -> ([String], [Int], [Int], Int) {
      try await fixture.look { store in
        let books = try await store.library.books()
        var sightings: [Int] = []
        for book in books { sightings.append(try await store.library.sightings(of: book)) }
        return (
          books.map(\.title), sightings, try await store.library.spines(limit: 100).map(\.sightings),
          try await store.queue.counts().delivered
        )
      }
    }
    let before = try await state()
    let run = try await fixture.run(again: true)
    #expect(run.summary.read == 2 && run.summary.new == 0 && run.summary.again == 5)
    let after = try await state()
    #expect(before == after, "\(before) \(after)")
  }

  @Test func whatCannotBeReadIsToldAndTheRestGoesOn() async throws {
    let fixture = try PhotographFixture { text in
      if text == "bad" { throw ScanError.image(.unrecognised) }
    }
    try fixture.add("1.jpg", "Dune")
    let bad = try fixture.add("2.jpg", "bad")
    try fixture.add("3.jpg", "Emma")
    let none = fixture.folder.appending(path: "none.jpg").path
    let text = fixture.folder.appending(path: "text.txt").path
    try Data("no picture".utf8).write(to: URL(filePath: text))
    let run = try await fixture.run([none, text, fixture.folder.path])
    #expect(run.summary.read == 2 && run.summary.failed == 3)
    #expect(run.unread.contains { $0.hasPrefix("\(text) is neither a JPEG nor a PNG file") })
    #expect(run.unread.contains { $0.hasPrefix("\(bad): Cannot read the scan") })
    // The failed photograph leaves the queue, and the next run tries it again.
    #expect(try await fixture.look { try await $0.queue.counts().failed } == 0)
    #expect(try await fixture.run().summary.failed == 1)
  }

  @Test func aFolderThatGoesAwayIsOneLine() async throws {
    let fixture = try PhotographFixture()
    let other = fixture.root.appending(path: "disk")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    for number in 1...5 {
      try PhotographFixture.bytes("Book \(number)").write(to: other.appending(path: "\(number).jpg"))
    }
    try fixture.add("1.jpg", "Dune")
    let search = PhotographSearch([other.path, fixture.folder.path])
    #expect(search.photographs.count == 6)
    try FileManager.default.removeItem(at: other)
    let store = try Store(directory: fixture.library)
    let journal = ScanJournal(keepsCut: true)
    let station = PhotographStation(
      store: store,
      recognition: Recognition(WaySettings(), remote: nil, reader: ScanFixture.reader(), journal: journal),
      journal: journal, clock: SteppedClock())
    let watching = Task {
      var tally = PhotographTally()
      var gone = 0
      for await event in station.events {
        tally.note(event)
        if case .photograph(.folderGone(other.path, left: 5)) = event { gone += 1 }
      }
      return (tally.summary, gone)
    }
    try await station.run(search.photographs)
    let (summary, gone) = await watching.value
    #expect(gone == 1 && summary.failed == 5 && summary.read == 1)
  }

  /// A killed run has left photographs in the queue, one of which was given up.
  @Test func aRunGoesOnWhereTheLastOneEnded() async throws {
    let fixture = try PhotographFixture()
    for (name, titles) in [("1.jpg", "Dune"), ("2.jpg", "Emma"), ("3.jpg", "Walden")] {
      try fixture.add(name, titles)
    }
    try await {
      let store = try Store(directory: fixture.library)
      for titles in ["Dune", "Emma"] {
        let bytes = [UInt8](PhotographFixture.bytes(titles))
        try await store.queue.accept(
          Submission(key: .digest(of: bytes), content: .image(bytes, mediaType: "image/jpeg")))
      }
      let scan = try #require(try await store.queue.scans().last)
      try await store.queue.fail(scan, failure: "set aside", endingJob: false)
    }()
    let run = try await fixture.run()
    #expect(run.summary.failed == 0 && run.summary.read == 3)
    #expect(fixture.read.withLock { $0.sorted() } == ["Dune", "Emma", "Walden"])
    #expect(try await fixture.titles == ["Dune", "Emma", "Walden"])
    let last = try #require(run.progress.last)
    #expect(last.done == last.total)
  }

  @Test func withoutPhotographsTheQueueIsEmptied() async throws {
    let fixture = try PhotographFixture()
    try await {
      let store = try Store(directory: fixture.library)
      for titles in ["Dune", "Emma"] {
        let bytes = [UInt8](PhotographFixture.bytes(titles))
        try await store.queue.accept(Submission(content: .image(bytes, mediaType: "image/jpeg")))
      }
    }()
    let run = try await fixture.run([])
    #expect(run.summary.read == 2 && run.summary.new == 2)
    #expect(run.progress.map(\.done) == [1, 2])
    #expect(try await fixture.look { try await $0.queue.counts().isDrained })
  }

  @Test func aLibraryThatIsGoneEndsTheRun() async throws {
    let fixture = try PhotographFixture()
    for number in 1...4 { try fixture.add("\(number).jpg", "Book \(number)") }
    let store = try Store(directory: fixture.library)
    let journal = ScanJournal(keepsCut: true)
    let reader = PhotoReader(name: "scripted") { _ in
      try FileManager.default.removeItem(atPath: fixture.library)
      return PhotoReader.Reading(size: PixelSize(width: 10, height: 10), sightings: [])
    }
    let station = PhotographStation(
      store: store, recognition: Recognition(WaySettings(), remote: nil, reader: reader, journal: journal),
      journal: journal, clock: SteppedClock())
    let error = await #expect(throws: DeliveryError.self) {
      try await station.run(PhotographSearch([fixture.folder.path]).photographs)
    }
    #expect(error?.kind == .storage)
  }
}
