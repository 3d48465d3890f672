import BookScan
import Console
import Dispatch
import ScanStation
import TalariaServer

/// Reads what is uploaded, one after the other: one photo has all the processors. Read in a process of its own, whose end costs one
/// job and not the server.
struct ShelfReader: Sendable {
  /// What reads, with its version.
  let name: String
  private let worker: RecognitionWorker
  private let level: RecognitionLevel
  private let queue = DispatchQueue(label: "org.swiftwing.talaria.reader")

  /// - Throws: `ScanError` when neither PP-OCRv6 nor Tesseract is to be had.
  init(models: String?, level: RecognitionLevel) throws {
    let worker = try RecognitionWorker(.init(choice: RecognizerChoice(models: models)))
    for note in worker.notes { Terminal.tell("note: \(note)") }
    self.init(worker: worker, level: level)
  }

  init(worker: RecognitionWorker, level: RecognitionLevel) {
    self.worker = worker
    self.level = level
    name = worker.name
  }

  /// The books of an upload, told of in the log.
  /// - Throws: `TalariaServer.Unreadable` for what will fail every time.
  func answer(_ upload: Upload, _ log: ServeLog) async throws -> [FoundBook] {
    let began = ContinuousClock.now
    do {
      let books = try await books(in: upload)
      log.read(upload, books: books.count, within: ContinuousClock.now - began)
      return books
    } catch {
      log.failed(upload, reason: "\(error)")
      throw Self.isForGood(error) ? TalariaServer.Unreadable() : error
    }
  }

  func books(in upload: Upload) async throws -> [FoundBook] {
    guard let image = upload.image else { return Self.books(inText: upload.text ?? "") }
    return try await withCheckedThrowingContinuation { answer in
      queue.async { answer.resume(with: Result { try read(image) }) }
    }
  }

  /// Whether what was uploaded will fail every time: it is no picture, or has ended two processes.
  static func isForGood(_ error: any Error) -> Bool {
    switch error as? ScanError {
    case .image, .ended: true
    case .unavailable, .recognition, nil: false
    }
  }

  private func read(_ bytes: [UInt8]) throws -> [FoundBook] {
    try worker.scan(bytes, level: level).findings.spines.map {
      FoundBook(title: $0.title, author: $0.author, isbn: $0.isbn, confidence: $0.confidence)
    }
  }

  static func books(inText text: String) -> [FoundBook] {
    SpineLines.parse(text).map { FoundBook(title: $0.title, author: $0.author, isbn: $0.isbn) }
  }
}
