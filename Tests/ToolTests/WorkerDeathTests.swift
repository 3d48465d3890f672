import BookScan
import Foundation
import HTTPService
import Library
import ScriptedPhotos
import TalariaServer
import Testing
import Uploads

@testable import ScanStation
@testable import swiftwing_tool

/// Photos that crash the process that reads them, in the queue and at the reference backend.
@Suite final class WorkerDeathTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "deaths-\(UUID().uuidString)")
    .path

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func reader(_ store: Store, _ worker: RecognitionWorker) -> QueueReader {
    QueueReader(store: store, reader: PhotoReader(worker: worker, level: .fast), journal: ScanJournal())
  }

  private func submission(_ script: String) throws -> Submission {
    Submission(content: .image(try ScriptedPhoto.bytes(script), mediaType: "image/jpeg"))
  }

  @Test func aScanThatEndsTwoProcessesIsSetAsideAndTheRestGoOn() async throws {
    let store = try Store(directory: folder)
    let worker = try ScriptedPhoto.worker()
    for script in ["book=Dune", "abort=lineCount", "book=Emma"] {
      try await store.queue.accept(try submission(script))
    }
    await reader(store, worker).run(untilDrained: true)
    let counts = try await store.queue.counts()
    #expect(counts.delivered == 2 && counts.failed == 1 && counts.pending == 0)
    #expect(try await store.library.books().map(\.title).sorted() == ["Dune", "Emma"])
    let failure = try #require(try await store.queue.scans().first?.failure)
    #expect(failure.contains("lineCount") && failure.contains("set aside") && !failure.contains("\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/images").count == 1)
    // A process is started anew before the second try, and another one before the next scan, unless the photo
    // was the last.
    #expect(worker.replacementTimes.count == 2 || worker.replacementTimes.count == 1)
  }

  @Test func aScanThatEndsOneProcessIsDelivered() async throws {
    let store = try Store(directory: folder)
    try await store.queue.accept(try submission("once=\(folder)/once book=Dune"))
    await reader(store, try ScriptedPhoto.worker()).run(untilDrained: true)
    #expect(try await store.queue.counts().delivered == 1)
  }

  @Test func theReferenceBackendAnswersWithAnErrorAndGoesOn() async throws {
    let reader = ShelfReader(worker: try ScriptedPhoto.worker(), level: .fast)
    let server = try TalariaServer(limits: .patient) { try await reader.answer($0, ServeLog(json: true)) }
    let store = try Store(directory: folder)
    let client = try TalariaClient(.patient(server.url), device: BackendIdentity(directory: folder))
    for script in ["abort=lineCount", "book=Dune"] { try await store.queue.accept(try submission(script)) }
    await Uploader(store: store, backend: client).drain()
    let counts = try await store.queue.counts()
    #expect(counts.delivered == 1 && counts.failed == 1)
    // The scan is not sent again, because it would crash the next two processes.
    #expect(server.statistics.jobs == 2)
  }
}

/// Long timeouts: on a busy machine, immediate steps may take minutes.
extension TalariaSettings {
  fileprivate static func patient(_ server: String) -> TalariaSettings {
    TalariaSettings(
      server: server, transport: TransportSettings(connectTimeout: 3_600_000), exchangeTimeout: 3_600_000,
      silence: 3_600_000, jobLimit: 3600)
  }
}

extension ServerLimits {
  fileprivate static let patient = ServerLimits(headSeconds: 3600, bytesPerSecond: 1, idleSeconds: 3600)
}
