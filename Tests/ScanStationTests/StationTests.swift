import BookScan
import Capture
import Foundation
import Imagery
import Library
import Replay
import TalariaServer
import Testing
import Uploads

@testable import ScanStation

@Suite struct StationTests {
  @Test func aPhotoIsReadHereAndItsBooksAreInTheLibrary() async throws {
    let fixture = try ScanFixture()
    try await fixture.start()
    let key = try #require(try await fixture.press())
    try await fixture.station.drain()
    #expect(try await fixture.titles() == ["Dune", "Emma"])
    #expect(fixture.images.isEmpty)
    let (way, time) = await fixture.log.first { event in
      if case .delivered(key, _, let way, let time) = event { (way, time) } else { nil }
    }
    #expect(way == .local && time != nil)
    let left = try await fixture.station.finish()
    #expect(left.isDrained && left.delivered == 1)
  }

  @Test func whereTheShelvesAreTravelsWithEachPhoto() async throws {
    let fixture = try ScanFixture(location: "living room, 3")
    try await fixture.start()
    _ = try #require(try await fixture.press())
    try await fixture.station.drain()
    let library = fixture.store.library
    let places = try await library.places(of: library.books())
    #expect(places.count == 2 && places.values.allSatisfy { $0.location == "living room, 3" })
    try await fixture.station.finish()
  }

  @Test func aPhotoOfTheSameIsNotTakenAgain() async throws {
    let fixture = try ScanFixture()
    try await fixture.start()
    let key = try #require(try await fixture.press())
    #expect(try await fixture.press() == nil)
    #expect(await fixture.log.first { if case .sameAs(let known) = $0 { known } else { nil } } == key)
    try await fixture.station.finish()
  }

  @Test func theImageStaysForTheNextTimeAndGoesWithItsDelivery() async throws {
    let dead = ScriptedOutage()
    let fixture = try ScanFixture(WaySettings(first: .backend, fallsBack: false), remote: dead)
    fixture.deliveryClock.hold()
    try await fixture.start()
    let key = try #require(try await fixture.press())
    await fixture.log.first { if case .postponed(key, _, _) = $0 { true } else { nil } }
    let left = try await fixture.station.finish()
    #expect(left.pending == 1 && fixture.images.count == 1)
    #expect(try await fixture.store.queue.drop(key))
    #expect(fixture.images.isEmpty)
  }

  @Test func theShutterIsClosedWhileThereIsNoPicture() async throws {
    let fixture = try ScanFixture()
    try await fixture.start()
    #expect(await fixture.station.isShutterOpen)
    await fixture.station.session.background()
    #expect(await !fixture.station.isShutterOpen)
    await #expect(throws: SessionError.captureRefused(.paused(.background))) { try await fixture.press() }
    try await fixture.station.finish()
    await #expect(throws: ShutterError.finished) { try await fixture.station.press() }
  }

  @Test func aLibraryThatIsGoneIsToldOnceAndNothingIsLostSilently() async throws {
    let fixture = try ScanFixture(shutter: .interval(.seconds(2)))
    try await fixture.start()
    try FileManager.default.removeItem(atPath: fixture.folder)
    try await fixture.during { await $0.first { if case .libraryGone = $0 { true } else { nil } } }
    await #expect(throws: DeliveryError.self) { try await fixture.press() }
    #expect(!fixture.station.isLibraryInPlace)
    try await fixture.station.finish()
    let told = fixture.log.all.compactMap { if case .libraryGone(let reason) = $0 { reason } else { nil } }
    #expect(told.count == 1)
    #expect(told.first?.hasPrefix("Cannot accept a scan: the library \(fixture.folder) is gone") == true)
    #expect(!fixture.log.all.contains { if case .refused = $0 { true } else { false } })
    #expect(!FileManager.default.fileExists(atPath: fixture.folder))
  }

  @Test func aLimitClosesTheShutterUntilItIsOver() async throws {
    let server = try TalariaServer(limits: .patient) { _ in [FoundBook(title: "Dune")] }
    server.faults.add(.tooManyRequests("27"), to: .upload)
    let fixture = try ScanFixture(WaySettings(first: .backend), server: server)
    fixture.deliveryClock.hold()
    try await fixture.start()
    _ = try await fixture.press()
    let until = await fixture.log.first { if case .limited(let until) = $0 { until } else { nil } }
    #expect(until.timeIntervalSince(fixture.deliveryClock.now) == 27)
    await #expect(throws: ShutterError.limited(until: until)) { try await fixture.press() }
    fixture.deliveryClock.advance(27)
    await fixture.log.first { if case .unlimited = $0 { true } else { nil } }
    #expect(await fixture.station.isShutterOpen)
    try await fixture.station.drain()
    #expect(try await fixture.titles() == ["Dune"])
    try await fixture.station.finish()
  }

  @Test func anIntervalTakesPhotosByItself() async throws {
    let scene = SimulatedScene()
    let fixture = try ScanFixture(
      shutter: .interval(.seconds(2)),
      source: SimulatedSource(size: PixelSize(width: 320, height: 240), scene: scene))
    try await fixture.start()
    try await fixture.during { await $0.first { if case .accepted = $0 { true } else { nil } } }
    // The scene has not changed, so the next photo is recognised as the same scene.
    try await fixture.during { await $0.first { if case .sameAs = $0 { true } else { nil } } }
    try await fixture.station.drain()
    #expect(fixture.log.all.count(where: { if case .accepted = $0 { true } else { false } }) == 1)
    #expect(try await fixture.titles() == ["Dune", "Emma"])
    try await fixture.station.finish()
  }

  private func slowSource() -> SimulatedSource {
    SimulatedSource(
      size: PixelSize(width: 320, height: 240), frameInterval: FrameInterval(framesPerSecond: 5))
  }

  /// The photos are 40 s apart, but the session pauses after 30 s of inactivity (PWR-1).
  @Test func anIntervalLongerThanThePauseTakesItsPhotos() async throws {
    let fixture = try ScanFixture(
      shutter: .interval(.seconds(40)), source: slowSource(), configuration: SessionConfiguration())
    try await fixture.start()
    try await fixture.during { log in
      while log.all.count(where: { if case .session(.paused(.inactivity)) = $0 { true } else { false } }) < 3
      {
        await Task.yield()
      }
      return true
    }
    let photos = fixture.log.all.count { event in
      switch event {
      case .accepted, .sameAs: true
      default: false
      }
    }
    #expect(photos == 2, "at 40 and at 80 s, before the third pause")
    #expect(!fixture.log.all.contains { if case .refused = $0 { true } else { false } })
    try await fixture.station.finish()
  }

  @Test func aPressAfterALongPauseTakesItsPhoto() async throws {
    let fixture = try ScanFixture(source: slowSource(), configuration: SessionConfiguration())
    try await fixture.start()
    await fixture.clock.run(for: .seconds(100))
    #expect(await fixture.station.session.state == .paused(.inactivity))
    #expect(await fixture.station.isShutterOpen)
    _ = try #require(try await fixture.press())
    #expect(await fixture.station.session.state == .running)
    try await fixture.station.finish()
  }

  @Test func theAutomaticShutterIsNotClosedUnderWhatItWatches() async throws {
    let fixture = try ScanFixture(
      shutter: .automatic, source: slowSource(), configuration: SessionConfiguration())
    try await fixture.start()
    await fixture.clock.run(for: .seconds(100))
    #expect(await fixture.station.session.state == .running)
    try await fixture.station.finish()
  }

  /// A press counts as activity even if the backend's rate limit refuses it.
  @Test func aRefusedPressIsActivity() async throws {
    let server = try TalariaServer(limits: .patient) { _ in [FoundBook(title: "Dune")] }
    server.faults.add(.tooManyRequests("27"), to: .upload)
    let fixture = try ScanFixture(
      WaySettings(first: .backend), server: server, source: slowSource(),
      configuration: SessionConfiguration())
    fixture.deliveryClock.hold()
    try await fixture.start()
    _ = try await fixture.press()
    await fixture.log.first { if case .limited = $0 { true } else { nil } }
    await fixture.clock.run(for: .seconds(40))
    #expect(await fixture.station.session.state == .paused(.inactivity))
    await #expect(throws: ShutterError.self) { try await fixture.press() }
    await fixture.clock.run(for: .seconds(1))
    #expect(await fixture.station.session.state == .running)
    try await fixture.station.finish()
  }

  @Test func whatWasLeftQueuedIsDeliveredByTheNextStation() async throws {
    let dead = ScriptedOutage()
    let folder = FileManager.default.temporaryDirectory.appending(path: "station-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      let fixture = try ScanFixture(
        WaySettings(first: .backend, fallsBack: false), remote: dead, folder: "\(folder)")
      fixture.deliveryClock.hold()
      try await fixture.start()
      _ = try await fixture.press()
      await fixture.log.first { if case .postponed = $0 { true } else { nil } }
      try await fixture.station.finish()
      try FileManager.default.moveItem(atPath: folder, toPath: "\(folder)-kept")
    }
    let fixture = try ScanFixture(folder: "\(folder)-kept")
    try await fixture.start()
    try await fixture.station.drain()
    #expect(try await fixture.titles() == ["Dune", "Emma"] && fixture.images.isEmpty)
    try await fixture.station.finish()
  }
}

extension ScanFixture {
  static func reading(_ spines: [(title: String, confidence: Double)], _ size: PixelSize)
    -> PhotoReader.Reading
  {
    PhotoReader.Reading(
      size: size,
      sightings: spines.enumerated().map { index, spine in
        SpineSighting(
          spine: .init(
            title: spine.title, confidence: spine.confidence,
            box: .init(x: 100 + 60 * Double(index), y: 50, width: 30, height: 500), angle: 90))
      })
  }
}
