import Console
import Glibc
import Library
import System

/// Shows the picture of a spine while its book is reviewed.
protocol SpinePictures: Sendable {
  /// Shows an upright JPEG.
  func show(_ jpeg: [UInt8], of book: Book.ID)
  /// Removes everything that was shown.
  func clear()
}

/// Shows no pictures, because a program reads the output or the output is no terminal.
struct NoPictures: SpinePictures {
  func show(_ jpeg: [UInt8], of book: Book.ID) {}
  func clear() {}
}

/// Draws each picture below the text about its book, on a terminal that supports pictures. `clear()` does not remove it.
struct DrawnPictures: SpinePictures {
  /// The greatest width of a picture in characters, and its greatest height in lines.
  private static let (columns, rows) = (100, 8)

  private let kind: TerminalPicture.Kind
  /// Used for pictures that cannot be drawn.
  private let files = PictureFiles()

  init(_ kind: TerminalPicture.Kind) { self.kind = kind }

  func show(_ jpeg: [UInt8], of book: Book.ID) {
    guard let window = TerminalWindow(STDOUT_FILENO), let picture = try? TerminalPicture(file: jpeg) else {
      return files.show(jpeg, of: book)
    }
    let (columns, rows) = (min(window.columns - 1, Self.columns), min(window.rows / 2, Self.rows))
    Terminal.write(
      picture.render(kind, columns: columns, rows: rows, cell: window.cell), to: STDOUT_FILENO)
  }

  func clear() { files.clear() }
}

/// Writes each picture to a file that only its owner may read, until the review ends. For a terminal without pictures.
final class PictureFiles: SpinePictures {
  private let state = Locked((folder: String?.none, files: [String]()))

  func show(_ jpeg: [UInt8], of book: Book.ID) {
    let path = state.withLock { state -> String? in
      state.folder = state.folder ?? Self.makeFolder()
      guard let folder = state.folder else { return nil }
      let path = "\(folder)/book-\(book).jpg"
      do throws(SystemError) { try DurableFile.replace(path, with: jpeg) } catch { return nil }
      state.files.append(path)
      return path
    }
    Terminal.say(
      path.map { "  picture: \($0)" }
        ?? "  its picture cannot be written to a file; `swiftwing library review --page FILE` shows it")
  }

  func clear() {
    state.withLock { state in
      for file in state.files { unlink(file) }
      if let folder = state.folder { rmdir(folder) }
      state = (nil, [])
    }
  }

  /// Creates a folder that only its owner may read.
  private static func makeFolder() -> String? {
    let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array("\(place)/swiftwing-review.XXXXXX".utf8CString)
    return mkdtemp(&name).map { String(cString: $0) }
  }
}
