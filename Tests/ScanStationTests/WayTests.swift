import BookScan
import Foundation
import Imagery
import Library
import ScriptedPhotos
import System
import TalariaServer
import Testing
import Uploads

@testable import ScanStation

/// A backend that refuses everything, by default as if it were offline.
final class ScriptedOutage: Backend {
  private let refusal: BackendError
  let uploads = Locked(0)

  init(_ kind: BackendError.Kind = .offline) { refusal = BackendError(kind, "Talaria is not there.") }

  func submit(_ submission: Submission, idempotencyKey: String) async throws(BackendError) -> QueuedScan.Job?
  {
    uploads.withLock { $0 += 1 }
    throw refusal
  }

  func follow(
    _ job: QueuedScan.Job, of scan: UUID, report: @escaping @Sendable (JobProgress) -> Void
  ) async throws(BackendError) -> [Finding] { throw refusal }

  func cleanUp(_ jobID: String) async throws(BackendError) {}
}

@Suite struct WayTests {
  /// Collects the uploads that the server received.
  private final class Seen: Sendable {
    let uploads = Locked<[Upload]>([])
  }

  private func server(_ seen: Seen, _ books: [FoundBook] = [FoundBook(title: "Named by the backend")]) throws
    -> TalariaServer
  {
    try TalariaServer(limits: .patient) { upload in
      seen.uploads.withLock { $0.append(upload) }
      guard let text = upload.text else { return books }
      return SpineLines.parse(text).map { FoundBook(title: $0.title, author: $0.author, isbn: $0.isbn) }
    }
  }

  private func scan(_ fixture: ScanFixture) async throws -> RecognitionWay? {
    try await fixture.start()
    let key = try #require(try await fixture.press())
    let way = await fixture.log.first { event -> RecognitionWay?? in
      if case .delivered(key, _, let way, _) = event { .some(way) } else { nil }
    }
    try await fixture.station.finish()
    return way
  }

  @Test func localNeverTalksToABackend() async throws {
    let seen = Seen()
    let server = try server(seen)
    let fixture = try ScanFixture(WaySettings(first: .local), server: server)
    #expect(try await scan(fixture) == .local)
    #expect(server.statistics.connections == 0)
  }

  @Test func hybridSendsTextAndNoImage() async throws {
    let seen = Seen()
    let server = try server(seen)
    let fixture = try ScanFixture(WaySettings(first: .hybrid), server: server)
    #expect(try await scan(fixture) == .hybrid)
    let upload = try #require(seen.uploads.withLock { $0 }.first)
    #expect(upload.image == nil && upload.text == "Dune\tSomebody\t\nEmma\tSomebody\t")
    #expect(try await fixture.titles() == ["Dune", "Emma"])
  }

  @Test func backendSendsAnImageWithinTheBudget() async throws {
    let seen = Seen()
    let server = try server(seen)
    let fixture = try ScanFixture(
      WaySettings(first: .backend), server: server,
      source: SimulatedSourceOf.size(PixelSize(width: 2000, height: 1500)))
    #expect(try await scan(fixture) == .backend)
    let image = try #require(seen.uploads.withLock { $0 }.first?.image)
    #expect(try ImageFile.read(image).image.format.size == PixelSize(width: 1024, height: 768))
    #expect(try await fixture.titles() == ["Named by the backend"])
  }

  /// The scan is sent at the cheapest size with legible words. One event reports the size.
  @Test(arguments: [(40.0, 768), (16, 1536)]) func backendSendsTheCheapestLegibleImage(
    height: Double, longSide: Int
  ) async throws {
    let seen = Seen()
    let server = try server(seen)
    let readings = Locked(0)
    let reader = LegibilityReader(name: "scripted") { bytes in
      readings.withLock { $0 += 1 }
      let factor = Double(try ImageFile.read(bytes).image.format.size.longSide) / 2000
      guard height * factor >= 10 else { return [] }
      let region = TextRegion(
        center: Point(x: 1000 * factor, y: 700 * factor), length: 400 * factor, height: height * factor,
        angle: 0)
      return [TextLine(text: "Dune", confidence: 1, region: region)]
    }
    let profile = try #require(TokenProfile.named("seed"))
    let fixture = try ScanFixture(
      WaySettings(first: .backend, fallsBack: false), server: server, reader: nil,
      legibility: LegibilitySolver(LegibilityGoal(profile: profile), reader: reader),
      source: SimulatedSourceOf.size(PixelSize(width: 2000, height: 1500)))
    #expect(try await scan(fixture) == .backend)
    let image = try #require(seen.uploads.withLock { $0 }.first?.image)
    #expect(try ImageFile.read(image).image.format.size.longSide == longSide)
    let pictures = fixture.log.all.compactMap { if case .sized(_, let picture) = $0 { picture } else { nil } }
    #expect(pictures.count == 1 && pictures.first?.size.longSide == longSide)
    #expect(pictures.first?.words == 1 && pictures.first?.kept == 1 && pictures.first?.judge == "recognition")
    #expect(readings.withLock { $0 } >= 2)
  }

  /// A photo that is sent again after an outage is not read again to find its size.
  @Test func aPictureIsReadForItsSizeOnce() async throws {
    let readings = Locked(0)
    let reader = LegibilityReader(name: "scripted") { _ in
      readings.withLock { $0 += 1 }
      return []
    }
    let solver = LegibilitySolver(
      LegibilityGoal(profile: try #require(TokenProfile.named("seed"))), reader: reader)
    let pictures = UploadPicture(PhotoSettings(), solver: solver)
    let bytes = try ScriptedPhoto.bytes("")
    let scan = UUID()
    let first = try await pictures.develop(bytes, of: scan)
    let second = try await pictures.develop(bytes, of: scan)
    #expect(first.bytes == second.bytes && first.news?.judge == "recognition" && second.news == nil)
    #expect(readings.withLock { $0 } == 1)
    pictures.forget(scan)
    _ = try await pictures.develop(bytes, of: scan)
    #expect(readings.withLock { $0 } == 2)
  }

  @Test func outOfReachItIsGivenTimeThenReadHere() async throws {
    let dead = ScriptedOutage()
    let fixture = try ScanFixture(WaySettings(first: .backend, patience: 10), remote: dead)
    #expect(try await scan(fixture) == .local)
    // The attempts come at 0, 1, 3, 7 and 22 s. The last one exceeds the patience of 10 s.
    #expect(dead.uploads.withLock { $0 } == 5)
    let change = await fixture.log.first { if case .fellBack(let change) = $0 { change } else { nil } }
    #expect(change.from == .backend && change.to == .local && change.reason == "Talaria is not there.")
    #expect(fixture.log.all.contains { if case .unreachable = $0 { true } else { false } })
    #expect(!fixture.log.all.contains { if case .reached = $0 { true } else { false } })
    #expect(fixture.images.isEmpty)
    let record = try String(contentsOfFile: "\(fixture.folder)/fallbacks.jsonl", encoding: .utf8)
    #expect(
      record.contains(#""from":"backend""#) && record.contains(#""to":"local""#) && record.hasSuffix("}\n"))
  }

  @Test func aRefusedImageIsTriedAsText() async throws {
    let seen = Seen()
    let server = try server(seen)
    server.faults.add(.status(413), to: .upload)
    let fixture = try ScanFixture(WaySettings(first: .backend), server: server)
    #expect(try await scan(fixture) == .hybrid)
    #expect(seen.uploads.withLock { $0 }.allSatisfy { $0.image == nil })
  }

  @Test func aJobThatFailsGoesToTheNextWay() async throws {
    let server = try server(Seen())
    server.faults.add(.jobError(retryable: true), to: .upload)
    let fixture = try ScanFixture(WaySettings(first: .hybrid), server: server)
    #expect(try await scan(fixture) == .local)
    #expect(try await fixture.titles() == ["Dune", "Emma"])
  }

  @Test func withoutFallingBackTheScanWaits() async throws {
    let dead = ScriptedOutage()
    let fixture = try ScanFixture(WaySettings(first: .backend, fallsBack: false), remote: dead)
    fixture.deliveryClock.hold()
    try await fixture.start()
    _ = try await fixture.press()
    await fixture.log.first { if case .postponed = $0 { true } else { nil } }
    #expect(try await fixture.station.finish().pending == 1)
    #expect(fixture.recognition.ways == [.backend])
  }

  @Test func aSlowBackendIsLeft() async throws {
    let stuck = StuckBackend()
    let fixture = try ScanFixture(WaySettings(first: .hybrid, limit: 20), remote: stuck)
    #expect(try await scan(fixture) == .local)
    let reason = await fixture.log.first { if case .fellBack(let change) = $0 { change.reason } else { nil } }
    #expect(reason.contains("20 seconds"))
  }

  @Test func laterScansGoWhereTheLastOneFellBackTo() {
    let routes = Routes(settings: WaySettings(first: .backend), ways: [.backend, .hybrid, .local])
    let now = 1_800.0
    let (first, second) = (UUID(), UUID())
    #expect(routes.way(of: first, at: now) == .backend)
    let broken = BackendError(.failed(endsJob: false), "broken")
    #expect(routes.next(after: .backend, for: first, because: broken, at: now) == .hybrid)
    #expect(routes.way(of: second, at: now + 29) == .hybrid)
    #expect(routes.way(of: second, at: now + 31) == .backend)
    #expect(routes.way(of: first, at: now + 31) == .hybrid)
    routes.forget(scan: first)
    #expect(routes.way(of: first, at: now + 31) == .backend)
    let limited = BackendError(.limited(for: 0), "limited")
    #expect(routes.next(after: .backend, for: second, because: limited, at: now) == nil)
  }

  @Test func aJobOfAnEarlierRunIsLeftLikeAnyOther() {
    let now = 1_800.0
    let job = QueuedScan.Job(id: "7", streamURL: "https://talaria/7")
    let offline = BackendError(.offline, "gone")
    let busy = BackendError(.unavailable(endsJob: false, for: nil), "status 503")
    let settings = WaySettings(first: .backend, patience: 10)
    let several = Routes(settings: settings, ways: [.backend, .local])
    #expect(
      !several.leaves(job, because: offline, at: now) && !several.leaves(job, because: offline, at: now + 9))
    #expect(
      several.leaves(job, because: offline, at: now + 10) && several.leaves(job, because: busy, at: now))
    let one = Routes(settings: settings, ways: [.backend])
    #expect(!one.leaves(job, because: offline, at: now + 100) && !one.leaves(job, because: busy, at: now))
  }

  @Test func textForABackendSurvivesWhatSpinesSay() {
    let box = Box(x: 0, y: 0, width: 1, height: 1)
    let spines = [
      SpineFinding(title: "A\tB\nC", author: nil, isbn: "9780441172719", confidence: 1, box: box, angle: 0),
      SpineFinding(title: "D", author: "E", confidence: 1, box: box, angle: 0),
    ]
    let parsed = SpineLines.parse(SpineLines.lines(spines).joined(separator: "\n"))
    #expect(parsed.map(\.title) == ["A B C", "D"] && parsed.map(\.author) == [nil, "E"])
    #expect(parsed.map(\.isbn) == ["9780441172719", nil])
    #expect(SpineLines.parse("\n\t\n").isEmpty)
  }

  /// Reading again here, or by another way, would not help: the scan is given up at once.
  @Test func aPhotoThatCannotBeReadForItsTextIsGivenUp() async throws {
    let seen = Seen()
    let reads = Locked(0)
    let reader = PhotoReader(name: "scripted") { _ in
      reads.withLock { $0 += 1 }
      throw ScanError.image(.unrecognised)
    }
    let fixture = try ScanFixture(WaySettings(first: .hybrid), server: try server(seen), reader: reader)
    try await fixture.start()
    _ = try #require(try await fixture.press())
    let reason = await fixture.log.first { if case .failed(_, let reason) = $0 { reason } else { nil } }
    #expect(reason.hasPrefix("Cannot read the scan: ") && reads.withLock { $0 } == 1)
    #expect(try await fixture.station.finish().failed == 1 && seen.uploads.withLock { $0.isEmpty })
  }

  @Test func aPhotoWithoutTextIsDoneAndNothingIsSent() async throws {
    let seen = Seen()
    let server = try server(seen)
    let fixture = try ScanFixture(
      WaySettings(first: .hybrid), server: server, reader: ScanFixture.reader([]))
    #expect(try await scan(fixture) == .hybrid)
    #expect(server.statistics.connections == 0)
    let counts = try await fixture.store.queue.counts()
    #expect(counts.delivered == 1 && counts.isDrained)
  }

  /// An earlier process made the job. It is no longer known how the scan was sent, but its books are reported.
  @Test func booksOfAnEarlierJobAreTold() async throws {
    let server = try server(Seen())
    let fixture = try ScanFixture(WaySettings(first: .backend), server: server)
    let (scan, submission) = (UUID(), Submission(content: .text(["Dune\tSomebody\t"])))
    let client = try TalariaClient(.patient(server.url), device: BackendIdentity(directory: fixture.folder))
    guard let job = try await client.submit(submission, idempotencyKey: "k") else { return }
    let ways = BackendWays(
      client, fixture.recognition,
      here: QueueReader(store: fixture.store, reader: nil, journal: fixture.journal),
      tell: LoggedEvents.makeStream().tell)
    let findings = try await ways.follow(job, of: scan) { _ in }
    let told = await fixture.log.first { if case .found(scan, let spines) = $0 { spines } else { nil } }
    #expect(told.map(\.id) == findings.map(\.id) && told.map(\.spine) == findings.compactMap(\.spine?.id))
    #expect(told.map(\.title) == ["Dune"])
  }

  /// Nine uploads are refused, as from a backend that is down for hours.
  @Test func withoutFallingBackAnOutageIsWaitedOut() async throws {
    let server = try server(Seen())
    for _ in 0..<9 { server.faults.add(.status(503), to: .upload) }
    let fixture = try ScanFixture(WaySettings(first: .backend, fallsBack: false), server: server)
    #expect(try await scan(fixture) == .backend)
    #expect(!fixture.log.all.contains { if case .failed = $0 { true } else { false } })
    let reason = fixture.log.all.lazy.compactMap {
      if case .unreachable(let reason) = $0 { reason } else { nil }
    }.first
    #expect(
      reason == "127.0.0.1 could not take the scan: status 503; the scan waits and is tried again.")
    #expect(fixture.log.all.contains { if case .reached = $0 { true } else { false } })
  }

  @Test func whatIsReadHereIsCleanText() async throws {
    let fixture = try ScanFixture(reader: ScanFixture.reader(["Du\u{202E}ne", "\u{200F}\u{202C}"]))
    #expect(try await scan(fixture) == .local)
    #expect(try await fixture.titles() == ["Dune"])
    let spines = await fixture.log.first { if case .found(_, let spines) = $0 { spines } else { nil } }
    #expect(spines.first?.title == "Dune")
  }
}

/// A backend that accepts every scan and never reports on it.
final class StuckBackend: Backend {
  func submit(_ submission: Submission, idempotencyKey: String) async throws(BackendError) -> QueuedScan.Job?
  {
    QueuedScan.Job(id: idempotencyKey, streamURL: "https://talaria/stuck")
  }

  func follow(
    _ job: QueuedScan.Job, of scan: UUID, report: @escaping @Sendable (JobProgress) -> Void
  ) async throws(BackendError) -> [Finding] {
    let (stream, end) = AsyncStream.makeStream(of: Void.self)
    for await _ in stream {}
    end.finish()
    throw BackendError(.cancelled, "cancelled")
  }

  func cleanUp(_ jobID: String) async throws(BackendError) {}
}
