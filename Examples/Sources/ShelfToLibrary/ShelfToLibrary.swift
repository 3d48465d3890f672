// Reads the books in photographs of shelves into a library: ShelfToLibrary FOLDER PHOTO.jpg…
import BookScan
import Foundation
import Imagery
import Library

@main struct ShelfToLibrary {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 2 else { return print("usage: ShelfToLibrary FOLDER PHOTO.jpg…") }

    // Uses PP-OCRv6 on OpenVINO if its models are installed, otherwise Tesseract. The notes say what is missing. The recogniser
    // runs in this process, so a photo that crashes one of its C++ libraries ends the program. `RecognitionWorker` runs it in a
    // separate process.
    let (recognizer, notes) = try RecognizerChoice().makeRecognizer()
    for note in notes { print("note: \(note)") }
    let scanner = BookScanner(recognizer: recognizer)

    // The folder holds the library and the queue of scans. Only one process at a time may own it.
    let library = try Store(directory: arguments[1]).library
    for path in arguments.dropFirst(2) {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      // EXIF gives the photograph's orientation; nothing else is known about a file.
      let file = try ImageFile.read(bytes)
      let findings = try scanner.scan(file.image, orientation: file.orientation, level: .accurate)
      for spine in findings.spines {
        let seen = BookFinding(
          isbn: spine.isbn, title: spine.title, author: spine.author ?? "", confidence: spine.confidence)
        // `add` merges the finding into an existing book if there is one. It returns nil for a finding without title and ISBN.
        if let book = try await library.add(seen) { print("\(book.title) / \(book.author)") }
      }
    }
    print("\(try await library.count()) books in the library")
  }
}
