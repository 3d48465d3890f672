import BookScan
import Capture
import Foundation
import HTTPService
import Imagery
import Library
import Replay
import System
import TalariaServer
import Testing
import Uploads

@testable import ScanStation

/// A station with a simulated camera, a scripted reader and, if requested, the reference backend. Its folder is deleted with the
/// object.
final class ScanFixture: Sendable {
  let folder: String
  let store: Store
  let journal = ScanJournal(keepsCut: true)
  let clock = VirtualClock()
  let deliveryClock: SteppedClock
  let station: ScanStation
  let recognition: Recognition
  let log: EventLog

  init(
    _ settings: WaySettings = WaySettings(), server: TalariaServer? = nil, remote: (any Backend)? = nil,
    reader: PhotoReader? = ScanFixture.reader(), legibility: LegibilitySolver? = nil,
    location: String? = nil, shutter: ShutterMode = .key,
    source: (any CameraSource)? = nil, configuration: SessionConfiguration = .awake, folder: String? = nil
  ) throws {
    let path =
      folder ?? FileManager.default.temporaryDirectory.appending(path: "station-\(UUID().uuidString)").path
    self.folder = path
    store = try Store(directory: path)
    deliveryClock = SteppedClock()
    var backend = remote
    if let server {
      backend = try TalariaClient(
        .patient(server.url), device: BackendIdentity(directory: path), clock: deliveryClock)
    }
    recognition = Recognition(
      settings, remote: backend, reader: reader, legibility: legibility, clock: deliveryClock,
      journal: journal,
      recordingIn: path)
    station = ScanStation(
      source: source ?? SimulatedSource(size: PixelSize(width: 320, height: 240)), store: store,
      recognition: recognition, journal: journal, location: location, shutter: shutter,
      configuration: configuration, clock: clock, deliveryClock: deliveryClock)
    log = EventLog(station.events)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Returns a reader that finds these titles in every photo.
  static func reader(_ titles: [String] = ["Dune", "Emma"]) -> PhotoReader {
    PhotoReader(name: "scripted") { _ in
      PhotoReader.Reading(
        size: PixelSize(width: 320, height: 240),
        sightings: titles.enumerated().map { index, title in
          SpineSighting(
            spine: SpineFinding(
              title: title, author: "Somebody", confidence: 0.9,
              box: Box(x: 40 + 40 * Double(index), y: 20, width: 20, height: 180), angle: 90))
        })
    }
  }

  /// Starts the station and waits for the first picture.
  func start() async throws {
    try await clock.run(until: { [station] in
      try await station.start()
      for await state in await station.session.states() where state.acceptsPhotos { break }
    })
  }

  func press() async throws -> UUID? {
    try await clock.run(until: { [station] in try await station.press() })
  }

  /// Runs the camera's virtual clock until `body` returns.
  func during(_ body: @escaping @Sendable (EventLog) async -> Bool) async throws {
    _ = try await clock.run(until: { [log] in await body(log) })
  }

  var images: [String] { (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/images")) ?? [] }
  func titles() async throws -> [String] { try await store.library.books().map(\.title).sorted() }
}

/// Long timeouts: on a busy machine, immediate steps may take minutes.
extension TalariaSettings {
  static func patient(_ server: String) -> TalariaSettings {
    TalariaSettings(
      server: server, transport: TransportSettings(connectTimeout: 3_600_000), exchangeTimeout: 3_600_000,
      silence: 3_600_000, jobLimit: 3600)
  }
}

extension ServerLimits {
  static let patient = ServerLimits(headSeconds: 3600, bytesPerSecond: 1, idleSeconds: 3600)
}

extension SessionConfiguration {
  static var awake: SessionConfiguration {
    var configuration = SessionConfiguration()
    configuration.inactivityTimeout = nil
    return configuration
  }
}

/// The events of a station.
final class EventLog: Sendable {
  private let events = Locked<[ScanEvent]>([])
  private let changes = ChangeCounter()
  private let task = Locked<Task<Void, Never>?>(nil)

  init(_ stream: AsyncStream<ScanEvent>) {
    let (events, changes) = (events, changes)
    task.withLock {
      $0 = Task {
        for await event in stream {
          events.withLock { $0.append(event) }
          changes.increment()
        }
      }
    }
  }

  deinit { task.withLock { $0 }?.cancel() }

  var all: [ScanEvent] { events.withLock { $0 } }

  @discardableResult func first<Value: Sendable>(_ pick: @Sendable (ScanEvent) -> Value?) async -> Value {
    while true {
      let seen = changes.count
      if let value = all.lazy.compactMap(pick).first { return value }
      await changes.wait(after: seen)
    }
  }
}

/// A delivery clock that skips waits of up to 30 s. Longer waits, which are time limits, end only by `advance`.
final class SteppedClock: DeliveryClock {
  private let time = Locked(0.0)
  private let changes = ChangeCounter()
  private let isHeld = Locked(false)

  var now: Date { Date(timeIntervalSince1970: 1_800_000_000) + uptime }
  var uptime: TimeInterval { time.withLock { $0 } }
  let boot = "this"

  /// Stops skipping: from now on, time passes only by `advance`.
  func hold() { isHeld.withLock { $0 = true } }

  func advance(_ seconds: TimeInterval) {
    time.withLock { $0 += seconds }
    changes.increment()
  }

  func sleep(for seconds: TimeInterval) async throws {
    let end = uptime + seconds
    while uptime < end {
      try Task.checkCancellation()
      let seen = changes.count
      guard isHeld.withLock({ $0 }) || end - uptime > 30 else {
        time.withLock { $0 = max($0, end) }
        changes.increment()
        break
      }
      if uptime < end { await changes.wait(after: seen) }
    }
    try Task.checkCancellation()
    await Task.yield()
  }
}
