// Photographs of shelves into books in a library: ShelfToLibrary FOLDER PHOTO.jpg…
import BookScan
import Foundation
import Imagery
import Library

@main struct ShelfToLibrary {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 2 else { return print("usage: ShelfToLibrary FOLDER PHOTO.jpg…") }

    // PP-OCRv6 on OpenVINO where its models are, otherwise Tesseract; the notes say what is missing. It reads in this process: a photo that crashes a
    // library of C++ ends it. `RecognitionWorker` reads in a process of its own.
    let (recognizer, notes) = try RecognizerChoice().makeRecognizer()
    for note in notes { print("note: \(note)") }
    let scanner = BookScanner(recognizer: recognizer)

    // One folder holds the library and the queue of scans. Only one process at a time may own it.
    let library = try Store(directory: arguments[1]).library
    for path in arguments.dropFirst(2) {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      // EXIF says how the photograph is to be turned; nothing else is known of a file.
      let file = try ImageFile.read(bytes)
      let findings = try scanner.scan(file.image, orientation: file.orientation, level: .accurate)
      for spine in findings.spines {
        let seen = BookFinding(
          isbn: spine.isbn, title: spine.title, author: spine.author ?? "", confidence: spine.confidence)
        // Merged into a book that is there already. A finding without a title and an ISBN is none.
        if let book = try await library.add(seen) { print("\(book.title) / \(book.author)") }
      }
    }
    print("\(try await library.count()) books in the library")
  }
}
