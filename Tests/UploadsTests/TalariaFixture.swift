import Foundation
import HTTPService
import System
import TalariaServer

@testable import Library
@testable import Uploads

/// The reference backend on loopback, a client of it, and a clock whose waits end at once.
struct TalariaFixture {
  static let dune = FoundBook(title: "Dune", author: "Frank Herbert", isbn: "9780441172719", confidence: 0.9)
  static let emma = FoundBook(title: "Emma", author: "Jane Austen", confidence: 0.8)

  let server: TalariaServer
  let client: TalariaClient
  let clock = InstantClock()
  let progress = Locked<[JobProgress]>([])
  /// The images that the server had to recognise.
  let images = Locked<[[UInt8]?]>([])

  init(
    books: [FoundBook] = [dune, emma], certificate: ServerCertificate? = nil, pin: String? = nil,
    caFile: String? = nil,
    heartbeat: TimeInterval = 30, adjust: (inout TalariaSettings) -> Void = { _ in },
    ticks: @escaping Ticks = monotonicMilliseconds
  ) throws {
    server = try TalariaServer(
      certificate: certificate, heartbeat: heartbeat, limits: ServerLimitTests.patient
    ) { [images] upload in
      images.withLock { $0.append(upload.image) }
      return books
    }
    var settings = TalariaSettings.patient(
      server.url, TransportSettings(pin: pin, caFiles: caFile.map { [$0] } ?? []))
    adjust(&settings)
    client = try TalariaClient(
      settings, device: BackendIdentity(secret: Self.secret), clock: clock, ticks: ticks)
  }

  static let secret = "0e5a9d3c-secret"

  func upload(key: String = UUID().uuidString) async throws(BackendError) -> QueuedScan.Job {
    guard let job = try await client.submit(.photo(), idempotencyKey: key) else {
      throw BackendError(.rejected, "Talaria answers with a job, never at once.")
    }
    return job
  }

  func follow(_ job: QueuedScan.Job) async throws(BackendError) -> [BookFinding] {
    try await client.follow(job, of: UUID()) { [progress] report in progress.withLock { $0.append(report) } }
      .map(\.book)
  }
}

extension TalariaSettings {
  /// Settings with long timeouts, for tests that are not about time. On a busy machine, immediate steps may take minutes.
  static func patient(_ server: String, _ transport: TransportSettings = TransportSettings())
    -> TalariaSettings
  {
    var transport = transport
    transport.connectTimeout = hour
    return TalariaSettings(
      server: server, transport: transport, exchangeTimeout: hour, silence: hour,
      jobLimit: TimeInterval(hour) / 1000)
  }

  /// An hour in milliseconds.
  static let hour = 3_600_000
}

/// A clock that advances only by sleeping. Sleeping returns at once.
final class InstantClock: DeliveryClock {
  private let time = Locked(0.0)
  private let sleeps = Locked<[TimeInterval]>([])
  var now: Date { Date(timeIntervalSince1970: 1_800_000_000) + uptime }
  var uptime: TimeInterval { time.withLock { $0 } }
  let boot = "this"
  /// The length of each sleep, in seconds, rounded to milliseconds.
  var slept: [TimeInterval] { sleeps.withLock { $0 } }

  func sleep(for seconds: TimeInterval) async throws {
    try Task.checkCancellation()
    let whole = (seconds * 1000).rounded() / 1000
    time.withLock { $0 += max(whole, 0) }
    sleeps.withLock { $0.append(whole) }
    await Task.yield()
  }
}
