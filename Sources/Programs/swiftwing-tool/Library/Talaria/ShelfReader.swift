import BookScan
import Console
import Dispatch
import ScanStation
import TalariaServer

/// Reads uploads one after another, so that each photo has all processors. A separate process reads, so that a crash costs one
/// job and not the server.
struct ShelfReader: Sendable {
  /// The recogniser with its version.
  let name: String
  /// What the user should know about the choice of the recogniser.
  var notes: [String] { worker.notes }
  private let worker: RecognitionWorker
  private let level: RecognitionLevel
  private let queue = DispatchQueue(label: "org.swiftwing.talaria.reader")

  /// Starts the recogniser.
  /// - Throws: `ScanError` if neither PP-OCRv6 nor Tesseract can be used.
  init(models: String?, level: RecognitionLevel) throws {
    self.init(
      worker: try RecognitionWorker(.init(choice: RecognizerChoice(models: models))), level: level)
  }

  init(worker: RecognitionWorker, level: RecognitionLevel) {
    self.worker = worker
    self.level = level
    name = worker.name
  }

  /// Reads the books of an upload, and logs the result.
  /// - Throws: `TalariaServer.Unreadable` for an upload that can never be read.
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

  /// Whether an upload can never be read, because it is no picture or has ended two processes.
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
