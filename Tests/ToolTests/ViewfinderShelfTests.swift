import BookScan
import Capture
import Foundation
import Imagery
import JSON
import Library
import RemoteControl
import Replay
import ScanStation
import TalariaServer
import Testing
import Uploads

@testable import swiftwing_tool

@Suite struct ViewfinderShelfTests {
  private static let finding = SpineFinding(
    title: "Emma", author: "Jane Austen", confidence: 0.9, box: Box(x: 0, y: 0, width: 64, height: 36),
    angle: 90,
    outline: [Point(x: -8, y: 0), Point(x: 64, y: 0), Point(x: 64, y: 32), Point(x: 0, y: 32)])

  private func member(_ value: JSONValue?, _ key: String) -> JSONValue? {
    if case .object(let members)? = value { members[key] } else { nil }
  }

  /// OCR-1, checklist J 101: outlines are given as fractions of the upright picture, whatever its size.
  @Test func spinesOfTheNewestPictureAreShown() async throws {
    let shelf = ViewfinderShelf(reader: { _ in [Self.finding] }, library: nil)
    let (changes, tell) = AsyncStream.makeStream(of: Void.self)
    await shelf.observe { tell.yield() }
    let source = try SourceSpecification("simulated:128x64@30").makeSource(corpusRoots: [])
    let session = CaptureSession(source: source)
    await session.add(shelf.output)
    try await session.start()
    for await _ in changes { break }
    let spines = await shelf.state()["spines"]
    guard case .array(let items)? = member(spines, "items") else {
      Issue.record("there are no items")
      return
    }
    #expect(member(items.first, "text") == .string("Emma, Jane Austen"))
    #expect(member(items.first, "certainty") == .string("sure"))
    #expect(
      member(items.first, "outline").map { String(decoding: JSONSerializer.line($0), as: UTF8.self) }
        == "[[0,0],[0.5,0],[0.5,0.5],[0,0.5]]")
    // The same book in every picture counts once.
    for await _ in changes where member(await shelf.state()["spines"], "pictures") != .integer(1) { break }
    #expect(member(await shelf.state()["spines"], "sureSoFar") == .integer(1))
    #expect(await shelf.read(false) == .accepted())
    let ended = await shelf.state()["spines"]
    #expect(member(ended, "isReading") == .bool(false))
    await session.stop()
    let cleared = await shelf.state()["spines"]
    #expect(member(cleared, "items") == .array([]))
    await shelf.end()
  }

  @Test func whatCannotBeReadIsTold() async throws {
    let shelf = ViewfinderShelf(
      reader: { _ in throw ScanError.ended(workers: 2, reason: "killed") }, library: nil)
    let (changes, tell) = AsyncStream.makeStream(of: Void.self)
    await shelf.observe { tell.yield() }
    let session = CaptureSession(
      source: try SourceSpecification("simulated:128x64@30").makeSource(corpusRoots: []))
    await session.add(shelf.output)
    try await session.start()
    for await _ in changes { break }
    guard case .string(let trouble)? = member(await shelf.state()["spines"], "trouble") else {
      Issue.record("no trouble is reported")
      return
    }
    #expect(trouble.contains("killed"))
    await session.stop()
    await shelf.end()
  }

  private static func reading(_ title: String) -> PhotoReader {
    PhotoReader(name: "scripted") { _ in
      PhotoReader.Reading(
        size: PixelSize(width: 320, height: 240),
        sightings: [
          SpineSighting(
            spine: SpineFinding(
              title: title, author: "Jane Austen", confidence: 0.9,
              box: Box(x: 40, y: 20, width: 20, height: 180), angle: 90))
        ])
    }
  }

  /// Returns a photo of a simulated camera.
  private func photo() async throws -> [UInt8] {
    let session = CaptureSession(
      source: try SourceSpecification("simulated:128x64@30").makeSource(corpusRoots: []))
    let output = PhotoOutput()
    await session.add(output)
    try await session.start()
    for await state in await session.states() where state.acceptsPhotos { break }
    let photo = try await session.capturePhoto(PhotoSettings(), from: output)
    await session.stop()
    return photo.photo.bytes
  }

  /// PHO-1, QUE-1, checklist J 99: a photo that is taken in the viewfinder passes through the queue into the library.
  @Test func photosGoIntoTheLibrary() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "shelf-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (store, journal) = (try Store(directory: folder), ScanJournal(keepsCut: true))
    let recognition = Recognition(
      WaySettings(), remote: nil, reader: Self.reading("Emma"), journal: journal, recordingIn: folder)
    let shelf = ViewfinderShelf(
      reader: nil, library: store, intake: ViewfinderIntake(store, recognition, journal: journal))
    let (changes, tell) = AsyncStream.makeStream(of: Void.self)
    await shelf.observe { tell.yield() }
    #expect(shelf.photoSettings?.longSide == nil && shelf.refusal == nil)
    #expect(await shelf.accept(try await photo()) == .queued)
    for await _ in changes where try await store.library.count() == 1 { break }
    #expect(try await store.library.books(limit: 2).map(\.title) == ["Emma"])
    #expect(member(await shelf.state()["queue"], "offline") == .bool(false))
    await shelf.end()
    let other = ViewfinderShelf(reader: nil, library: nil)
    #expect(await other.accept([]) == nil && other.photoSettings == nil)
  }

  /// UPL-4, checklist J 100: while a backend accepts no scans, the shutter is disabled, and the remaining time is reported.
  @Test func aRateLimitDisablesTheShutterAndIsCountedDown() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "shelf-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try TalariaServer { _ in [] }
    server.faults.add(.tooManyRequests("600"), to: .upload)
    let (store, journal) = (try Store(directory: folder), ScanJournal(keepsCut: true))
    let client = try TalariaClient(
      TalariaSettings(server: server.url), device: BackendIdentity(directory: folder))
    let recognition = Recognition(
      WaySettings(first: .backend, fallsBack: false), remote: client, reader: nil, journal: journal,
      recordingIn: folder)
    let shelf = ViewfinderShelf(
      reader: nil, library: store, intake: ViewfinderIntake(store, recognition, journal: journal))
    let (changes, tell) = AsyncStream.makeStream(of: Void.self)
    await shelf.observe { tell.yield() }
    #expect(await shelf.accept(try await photo()) == .queued)
    for await _ in changes where shelf.refusal != nil { break }
    let known = await shelf.state()["queue"]
    #expect(shelf.refusal == "the backend takes no scans for now; wait for the countdown")
    guard case .number(let until)? = member(known, "limitedUntil") else {
      Issue.record("nothing says until when")
      return
    }
    #expect(until > Date().timeIntervalSince1970 + 500)
    await shelf.end()
  }

  /// VFD-1: a book is corrected from the page, although another program owns the library.
  @Test func aBookIsCorrected() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "shelf-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let owner = try Store(directory: folder)
    _ = try await owner.library.add(BookFinding(title: "Jane Eire", author: "Charlotte Brontë"))
    let id = try #require(try await owner.library.books(limit: 1).first).id
    let shelf = ViewfinderShelf(reader: nil, library: try Store(directory: folder, access: .visitor))
    let answer = await shelf.edit(id, title: "Jane Eyre", author: nil)
    #expect(answer == .accepted(["title": .string("Jane Eyre"), "author": .string("Charlotte Brontë")]))
    let book = try #require(try await owner.library.books(limit: 1).first)
    #expect(book.title == "Jane Eyre" && book.certainty == .sure && book.confirmedAt != nil)
    guard case .array(let newest)? = member(await shelf.state()["library"], "newest") else {
      Issue.record("the state has no books")
      return
    }
    #expect(member(newest.first, "title") == .string("Jane Eyre"))
    for (book, title, word) in [(id, "", "title"), (id + 1, "Emma", "no book of this id")] {
      guard case .refused(let reason) = await shelf.edit(book, title: title, author: nil) else {
        Issue.record("it was not refused")
        return
      }
      #expect(reason.contains(word))
    }
    await shelf.end()
  }

  @Test func libraryIsLookedInto() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "shelf-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let owner = try Store(directory: folder)
    _ = try await owner.library.add(BookFinding(title: "Emma", author: "Jane Austen"))
    let shelf = ViewfinderShelf(reader: nil, library: try Store(directory: folder, access: .visitor))
    await shelf.observe {}
    let state = await shelf.state()
    #expect(member(state["library"], "books") == .integer(1))
    #expect(member(state["queue"], "pending") == .integer(0))
    #expect(state["spines"] == nil)
    guard case .refused(let reason) = await shelf.read(true) else {
      Issue.record("reading was accepted")
      return
    }
    #expect(reason.contains("--scan"))
    await shelf.end()
  }
}
