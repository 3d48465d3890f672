package import Foundation
package import Library
package import Uploads

/// Accepts scans one after another and delivers them at the same time, and prints each step. It never ends by itself.
package struct ScanningProcess: Sendable {
  private let directory: String
  /// The address of the backend. Nil if the process itself finds the books, at once.
  private let server: String?

  package init(directory: String, server: String?) {
    self.directory = directory
    self.server = server
  }

  static let retry = RetryPolicy(delays: [0.002, 0.005, 0.01], defaultPause: 0.005, offlineInterval: 0.02)

  static func uploader(_ store: Store, server: String?) throws -> Uploader {
    guard let server else {
      return Uploader(store: store, backend: AtOnceBackend(), retry: retry, concurrency: 3)
    }
    let settings = TalariaSettings(server: server, exchangeTimeout: 5000, retry: retry)
    let client = try TalariaClient(settings, device: BackendIdentity(directory: store.directory))
    return Uploader(store: store, backend: client, retry: retry, concurrency: 3)
  }

  package func run() async throws {
    let store = try Store(directory: directory)
    let uploader = try Self.uploader(store, server: server)
    let telling = Task { for await event in uploader.events { Step(event)?.say() } }
    let delivering = Task { await uploader.run() }
    defer {
      delivering.cancel()
      telling.cancel()
    }
    while !Task.isCancelled { try await scanOnce(store, uploader) }
  }

  private func scanOnce(_ store: Store, _ uploader: Uploader) async throws {
    let submission = Self.submission()
    let key = submission.key.uuidString.lowercased()
    Step.accepting(key).say()
    do {
      try await uploader.accept(submission)
      Step.accepted(key).say()
    } catch {
      Step.refused(key).say()
      try await Task.sleep(for: .milliseconds(5))
    }
    let waiting = try await store.queue.counts()
    if waiting.pending > 20 { try await Task.sleep(for: .milliseconds(10)) }
  }

  /// Returns an image of 20 to 200 kB that begins with its key, which the server uses as the title of the book.
  private static func submission() -> Submission {
    let key = UUID()
    let filling = [UInt8](repeating: 0x5A, count: Int.random(in: 20_000...200_000))
    return Submission(
      key: key, content: .image(Array(key.uuidString.lowercased().utf8) + filling, mediaType: "image/jpeg"))
  }
}

/// A backend in this process: it answers each scan at once with books and spines, without a job.
package struct AtOnceBackend: Backend {
  package init() {}

  package func submit(
    _ submission: Submission, idempotencyKey: String
  ) async throws(BackendError) -> BackendAnswer {
    try? await Task.sleep(for: .milliseconds(Int.random(in: 0...5)))
    guard case .image(let bytes, _) = submission.content else { return .finished([]) }
    let title = "Book \(String(decoding: bytes.prefix(36), as: UTF8.self))"
    let spine = Spine(id: submission.key, title: title, confidence: 1, view: 1, photo: 1)
    return .finished([
      Finding(id: submission.key, BookFinding(title: title), spine: spine, followsSpine: true)
    ])
  }

  package func follow(
    _ job: QueuedScan.Job, of scan: UUID, report: @escaping @Sendable (JobProgress) -> Void
  ) async throws(BackendError) -> [Finding] {
    throw BackendError(.superseded, "There is no such job: books are found at once here.")
  }

  package func cleanUp(_ jobID: String) async throws(BackendError) {}
}
