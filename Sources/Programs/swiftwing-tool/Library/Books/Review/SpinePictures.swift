import Console
import Glibc
import Library
import System

/// The picture of a spine as a terminal draws it.
struct SpineStrip: Equatable {
  var bytes: [UInt8]
  /// The number of lines that it covers.
  var rows: Int
}

/// Shows the picture of a spine while its book is reviewed.
protocol SpinePictures: Sendable {
  /// Shows an upright JPEG.
  func show(_ jpeg: [UInt8], of book: Book.ID)
  /// Returns an upright JPEG as one of several on a screen. Nil if the terminal does not draw it.
  /// - Parameter rows: the greatest height in characters.
  func strip(_ jpeg: [UInt8], columns: Int, rows: Int) -> SpineStrip?
  /// Keeps the pictures of a screen for a person who opens them elsewhere, in place of the former ones.
  /// - Returns: where they are. Nil if the terminal draws them, or if there are none.
  func keep(_ jpegs: [[UInt8]?]) -> String?
  /// Removes everything that was shown.
  func clear()
}

/// Shows no pictures, because a program reads the output or the output is no terminal.
struct NoPictures: SpinePictures {
  func show(_ jpeg: [UInt8], of book: Book.ID) {}
  func strip(_ jpeg: [UInt8], columns: Int, rows: Int) -> SpineStrip? { nil }
  func keep(_ jpegs: [[UInt8]?]) -> String? { nil }
  func clear() {}
}

/// Draws each picture below the text about its book, on a terminal that supports pictures, and writes it to a file. `clear()` removes only the
/// file.
struct DrawnPictures: SpinePictures {
  private let kind: TerminalPicture.Kind
  private let files = PictureFiles()

  init(_ kind: TerminalPicture.Kind) { self.kind = kind }

  func show(_ jpeg: [UInt8], of book: Book.ID) {
    if let window = TerminalWindow(STDOUT_FILENO), let picture = try? TerminalPicture(file: jpeg) {
      let (columns, rows) = Self.room(columns: window.columns, rows: window.rows)
      Terminal.write(
        picture.render(kind, columns: columns, rows: rows, cell: window.cell), to: STDOUT_FILENO)
    }
    files.show(jpeg, of: book)
  }

  /// The greatest size of a picture in characters: the window's width, and the height that the text about a book leaves of it.
  static func room(columns: Int, rows: Int) -> (columns: Int, rows: Int) {
    (min(columns - 1, 400), min(max(rows / 2, rows - 10), 100))
  }

  /// Half blocks have two pixels a row, so that a picture needs more rows.
  func strip(_ jpeg: [UInt8], columns: Int, rows: Int) -> SpineStrip? {
    guard let picture = try? TerminalPicture(file: jpeg) else { return nil }
    let rows = kind == .halfBlocks ? max(6, rows) : rows
    let cell = TerminalWindow(STDOUT_FILENO)?.cell ?? .usual
    return SpineStrip(
      bytes: picture.render(kind, columns: columns - 1, rows: rows, cell: cell),
      rows: picture.renderedRows(kind, columns: columns - 1, rows: rows, cell: cell))
  }

  func keep(_ jpegs: [[UInt8]?]) -> String? { nil }

  func clear() { files.clear() }
}

/// Writes each picture to a file that only its owner may read, until the review ends. For a terminal without pictures.
final class PictureFiles: SpinePictures {
  private let state = Locked((folder: String?.none, files: [String]()))

  func show(_ jpeg: [UInt8], of book: Book.ID) {
    Terminal.say(
      write(jpeg, "book-\(book).jpg").map { "  picture: \($0)" }
        ?? "  its picture cannot be written to a file; `swiftwing library review --page FILE` shows it")
  }

  func strip(_ jpeg: [UInt8], columns: Int, rows: Int) -> SpineStrip? { nil }

  func keep(_ jpegs: [[UInt8]?]) -> String? {
    state.withLock { state in
      for file in state.files { unlink(file) }
      state.files = []
    }
    let files = jpegs.enumerated().compactMap { number, jpeg in
      jpeg.flatMap { write($0, "\(number + 1).jpg") }
    }
    guard let first = files.first, let last = files.last else { return nil }
    let end = last.split(separator: "/").last.map { " to \($0)" } ?? ""
    return "pictures: \(first)\(first == last ? "" : end)"
  }

  /// - Returns: the path of the file. Nil if it cannot be written.
  private func write(_ jpeg: [UInt8], _ name: String) -> String? {
    state.withLock { state -> String? in
      state.folder = state.folder ?? Self.makeFolder()
      guard let folder = state.folder else { return nil }
      let path = "\(folder)/\(name)"
      do throws(SystemError) { try DurableFile.replace(path, with: jpeg) } catch { return nil }
      state.files.append(path)
      return path
    }
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
