import ArgumentParser
import BookScan
import Console
import Dispatch
import Foundation
import Imagery
import TalariaServer

enum ReadingLevel: String, ExpressibleByArgument, CaseIterable {
  case fast, accurate
}

/// Reads what is uploaded, one after the other: one photo has all the processors.
struct ShelfReader: Sendable {
  /// What reads, with its version.
  let name: String
  private let scanner: BookScanner
  private let level: RecognitionLevel
  private let queue = DispatchQueue(label: "org.swiftwing.talaria.reader")

  /// - Throws: `ScanError` when neither PP-OCRv6 nor Tesseract is to be had.
  init(models: String?, level: ReadingLevel) throws {
    let recognizer = try Self.recognizer(models)
    name = recognizer.name
    scanner = BookScanner(recognizer: recognizer)
    self.level = level == .fast ? .fast : .accurate
  }

  func books(in upload: Upload) async throws -> [FoundBook] {
    guard let image = upload.image else { return Self.books(inText: upload.text ?? "") }
    return try await withCheckedThrowingContinuation { answer in
      queue.async { answer.resume(with: Result { try read(image) }) }
    }
  }

  private func read(_ bytes: [UInt8]) throws -> [FoundBook] {
    let (image, orientation, _) = try ImageFile.read(bytes)
    return try scanner.scan(image, orientation: orientation, level: level).spines.map {
      FoundBook(title: $0.title, author: $0.author, isbn: $0.isbn, confidence: $0.confidence)
    }
  }

  /// A line a spine, as a client reads them: title, author and ISBN apart by tabs, what is unknown left empty or out.
  static func books(inText text: String) -> [FoundBook] {
    text.split(whereSeparator: \.isNewline).prefix(1000).compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      func value(_ index: Int) -> String? {
        fields.indices.contains(index) && !fields[index].isEmpty ? fields[index] : nil
      }
      return value(0).map { FoundBook(title: $0, author: value(1), isbn: value(2)) }
    }
  }

  private static func recognizer(_ models: String?) throws -> any TextRecognizer {
    do {
      let itself = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "."
      return try PaddleRecognizer(
        RecognitionModels(folder: models ?? RecognitionModels.folder(executable: itself)))
    } catch {
      Terminal.tell("note: \(error)")
      return try TesseractRecognizer()
    }
  }
}
