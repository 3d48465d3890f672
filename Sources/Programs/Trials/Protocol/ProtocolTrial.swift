import Foundation
import Library
package import Probes
import System
import TalariaServer
import Uploads

/// Delivers scans to a reference backend that records every request. The plays are: several scans in a row, one scan that is
/// refused twice, one whose event stream breaks off, and one that meets a rate limit.
package struct ProtocolTrial: Sendable {
  private let directory: String
  /// The injected mistake of the client; nil for none.
  private let mistake: ProtocolMistake?

  package init(directory: String, mistake: ProtocolMistake?) {
    self.directory = directory
    self.mistake = mistake
  }

  static let scansInARow = 12
  /// The seconds that the backend's status 429 asks the client to wait. The scenario's rule uses the same number.
  static let pauseOfLimit = 2

  package func run() async throws -> ProtocolOutcome {
    async let row = play("row", scans: Self.scansInARow)
    async let refused = play("refused", faults: [(.status(503), .upload), (.status(503), .upload)])
    async let broken = play("broken", faults: [(.halfEvent, .stream), (.duplicateEvents, .stream)])
    async let limited = play(
      "limited", faults: [(.tooManyRequests("\(Self.pauseOfLimit)"), .upload)])
    return try await ProtocolOutcome(row: row, refused: refused, broken: broken, limited: limited)
  }

  /// Runs one client against one backend, until everything is delivered.
  private func play(
    _ name: String, scans: Int = 1, faults: [(Fault, Endpoint)] = []
  ) async throws -> ProtocolOutcome.Play {
    let script = FaultScript()
    for (fault, endpoint) in faults { script.add(fault, to: endpoint) }
    let seen = Locked<[SeenRequest]>([])
    let server = try TalariaServer(
      faults: script, witness: { request in seen.withLock { $0.append(request) } },
      recognizer: { upload in
        let bytes = upload.image ?? []
        return ["first", "second"].map { FoundBook(title: "The \($0) book of \(Self.name(in: bytes))") }
      })
    defer { server.stop() }
    let store = try Store(directory: "\(directory)/\(name)")
    let sizes = try await fill(store, scans)
    let backend = try backend(server, store)
    await Uploader(store: store, backend: backend, retry: retry, concurrency: 3).drain()
    return ProtocolOutcome.Play(
      requests: seen.withLock { $0 }, imageSizes: sizes,
      delivered: try await store.queue.counts().delivered,
      titles: try await store.library.books(limit: 1000).map(\.title))
  }

  /// Queues scans whose images begin with a number, which the backend uses as the title of the book.
  /// - Returns: the images' sizes in bytes.
  private func fill(_ store: Store, _ scans: Int) async throws -> [Int] {
    var sizes: [Int] = []
    for number in 0..<scans {
      let bytes = Array("\(number)|".utf8) + [UInt8](repeating: 0xA5, count: 20_000 + 1000 * number)
      try await store.queue.accept(Submission(content: .image(bytes, mediaType: "image/jpeg")))
      sizes.append(bytes.count)
    }
    return sizes
  }

  private static func name(in image: [UInt8]) -> String {
    String(decoding: image.prefix { $0 != UInt8(ascii: "|") }.prefix(20), as: UTF8.self)
  }

  private var retry: RetryPolicy {
    mistake == .impatient
      ? RetryPolicy(delays: [0.01, 0.01, 0.01], longestPause: 1, defaultPause: 1) : RetryPolicy()
  }

  private func backend(_ server: TalariaServer, _ store: Store) throws -> any Backend {
    let make = { @Sendable [retry] in
      try TalariaClient(
        TalariaSettings(server: server.url, retry: retry), device: BackendIdentity(directory: store.directory)
      )
    }
    let client = try make()
    return switch mistake {
    case nil, .impatient: client
    case .wrongForm: MistakenBackend(mediaType: "application/octet-stream") { client }
    case .loneConnections: MistakenBackend(client: make)
    }
  }
}

/// The recorded requests of each play. A play is one client with one backend.
package struct ProtocolOutcome: Encodable, Sendable {
  struct Play: Encodable {
    var requests: [SeenRequest]
    var imageSizes: [Int]
    var delivered: Int
    var titles: [String]
  }

  var row: Play
  var refused: Play
  var broken: Play
  var limited: Play
}

/// A faulty client.
private struct MistakenBackend: Backend {
  /// The type that the client states for every image; nil for the right type.
  var mediaType: String?
  /// A function that returns the client for the next request. A new client opens a new connection.
  let client: @Sendable () throws -> TalariaClient

  private func next() throws(BackendError) -> TalariaClient {
    do { return try client() } catch { throw BackendError(.offline, "\(error)") }
  }

  func submit(_ submission: Submission, idempotencyKey: String) async throws(BackendError) -> QueuedScan.Job?
  {
    var submission = submission
    if let mediaType, case .image(let bytes, _) = submission.content {
      submission.content = .image(bytes, mediaType: mediaType)
    }
    return try await next().submit(submission, idempotencyKey: idempotencyKey)
  }

  func follow(
    _ job: QueuedScan.Job, of scan: UUID, report: @escaping @Sendable (JobProgress) -> Void
  ) async throws(BackendError) -> [Finding] {
    try await next().follow(job, of: scan, report: report)
  }

  func cleanUp(_ jobID: String) async throws(BackendError) { try await next().cleanUp(jobID) }
}
