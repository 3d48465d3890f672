import Delivery
import Foundation

/// Accepts scans one after the other and delivers them all the while, saying each step on standard output. Never ends by itself.
struct ScanningProcess {
  let directory: String
  /// Nil when the books are found here, at once.
  let server: String?

  static let retry = RetryPolicy(delays: [0.002, 0.005, 0.01], defaultPause: 0.005, offlineInterval: 0.02)

  static func courier(_ store: Store, server: String?) throws -> Courier {
    guard let server else {
      return Courier(store: store, backend: AtOnceBackend(), retry: retry, concurrency: 3)
    }
    let settings = TalariaSettings(server: server, exchangeTimeout: 5000, retry: retry)
    let client = try TalariaClient(settings, device: BackendIdentity(directory: store.directory))
    return Courier(store: store, backend: client, retry: retry, concurrency: 3)
  }

  func run() async throws {
    let store = try Store(directory: directory)
    let courier = try Self.courier(store, server: server)
    let telling = Task { for await event in courier.events { Step(event)?.say() } }
    let delivering = Task { await courier.run() }
    defer {
      delivering.cancel()
      telling.cancel()
    }
    while !Task.isCancelled { try await scanOnce(store, courier) }
  }

  private func scanOnce(_ store: Store, _ courier: Courier) async throws {
    let parcel = Self.parcel()
    let key = parcel.key.uuidString.lowercased()
    Step.accepting(key).say()
    do {
      try await courier.accept(parcel)
      Step.accepted(key).say()
    } catch {
      Step.refused(key).say()
      try await Task.sleep(for: .milliseconds(5))
    }
    let waiting = try await store.queue.counts()
    if waiting.pending > 20 { try await Task.sleep(for: .milliseconds(10)) }
  }

  /// An image of 20 to 200 kB that begins with its key, by which the server names the book in it.
  private static func parcel() -> Parcel {
    let key = UUID()
    let filling = [UInt8](repeating: 0x5A, count: Int.random(in: 20_000...200_000))
    return Parcel(
      key: key, content: .image(Array(key.uuidString.lowercased().utf8) + filling, mediaType: "image/jpeg"))
  }
}

/// Reads each scan here: no job, the books at once, a spine with each.
struct AtOnceBackend: Backend {
  func submit(_ parcel: Parcel, idempotencyKey: String) async throws(BackendError) -> BackendAnswer {
    try? await Task.sleep(for: .milliseconds(Int.random(in: 0...5)))
    guard case .image(let bytes, _) = parcel.content else { return .finished([]) }
    let title = "Book \(String(decoding: bytes.prefix(36), as: UTF8.self))"
    let spine = Spine(id: parcel.key, title: title, confidence: 1, view: 1, photo: 1)
    return .finished([Finding(id: parcel.key, BookFinding(title: title), spine: spine, followsSpine: true)])
  }

  func follow(
    _ job: QueuedScan.Job, of scan: UUID, report: @escaping @Sendable (JobProgress) -> Void
  ) async throws(BackendError) -> [Finding] {
    throw BackendError(.superseded, "There is no such job: books are found at once here.")
  }

  func cleanUp(_ jobID: String) async throws(BackendError) {}
}
