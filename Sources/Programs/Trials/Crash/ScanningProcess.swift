import BookScan
import Foundation
import Glibc
import Imagery
import Library
package import ScanStation
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

  /// - Parameter begin: called with the key of each scan that is read in this process.
  static func delivery(
    _ store: Store, server: String?, begin: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> any QueueDelivery {
    guard let server else {
      return QueueReader(
        store: store, reader: reader(begin), journal: ScanJournal(keepsCut: true), retry: retry)
    }
    let settings = TalariaSettings(server: server, exchangeTimeout: 5000, retry: retry)
    let client = try TalariaClient(settings, device: BackendIdentity(directory: store.directory))
    return Uploader(store: store, backend: client, retry: retry, concurrency: 3)
  }

  /// A reader that finds one book at once, whose title is the key at the beginning of the image, in letters.
  package static func reader(_ begin: @escaping @Sendable (String) -> Void = { _ in }) -> PhotoReader {
    PhotoReader(name: "at once") { image in
      let key = image.prefix(36)
      begin(String(decoding: key, as: UTF8.self))
      usleep(UInt32.random(in: 0...5000))
      let letters = key.filter { $0 != UInt8(ascii: "-") }.map { $0 < 58 ? $0 + 55 : $0 }
      let spine = SpineFinding(
        title: String(decoding: letters, as: UTF8.self), confidence: 1,
        box: Box(x: 40, y: 20, width: 20, height: 160), angle: 90)
      return PhotoReader.Reading(
        size: PixelSize(width: 100, height: 200), sightings: [SpineSighting(spine: spine)])
    }
  }

  package func run() async throws {
    let store = try Store(directory: directory)
    let delivery = try Self.delivery(store, server: server) { Step.uploading($0).say() }
    let delivering = Task { await delivery.deliver { Step($0)?.say() } }
    defer { delivering.cancel() }
    while !Task.isCancelled { try await scanOnce(store, delivery) }
  }

  private func scanOnce(_ store: Store, _ delivery: any QueueDelivery) async throws {
    let submission = Self.submission()
    let key = submission.key.uuidString.lowercased()
    Step.accepting(key).say()
    do {
      try await store.queue.accept(submission)
      delivery.wake()
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

/// The deliverer of a queue's scans: an uploader to a backend, or a reader in this process.
protocol QueueDelivery: Sendable {
  func wake()
  func drain() async
  /// Delivers until the task is cancelled.
  func deliver(_ tell: @escaping @Sendable (UploaderEvent) -> Void) async
}

extension QueueReader: QueueDelivery {
  func drain() async { await run(untilDrained: true) }
  func deliver(_ tell: @escaping @Sendable (UploaderEvent) -> Void) async { await run(tell) }
}

extension Uploader: QueueDelivery {
  func deliver(_ tell: @escaping @Sendable (UploaderEvent) -> Void) async {
    let telling = Task { for await event in events { tell(event) } }
    await run()
    telling.cancel()
  }
}
