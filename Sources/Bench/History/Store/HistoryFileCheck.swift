import Glibc

/// Checks of a history's file before SQLite opens it: an error of SQLite would not say that the file was truncated, or which program it belongs to.
///
/// The numbers are from "Database File Format" (sqlite.org/fileformat2.html), section 1.3.
enum HistoryFileCheck {
  /// `SWHI`: the application id of a history, in the header of its file.
  static let applicationID: UInt32 = 0x5357_4849
  private static let headerSize = 100
  private static let magic = Array("SQLite format 3".utf8) + [0]

  enum Finding: Equatable {
    case missing
    /// The header is that of a history.
    case history
  }

  /// - Throws: `HistoryError` if the path is anything but a history.
  static func look(at path: String) throws(HistoryError) -> Finding {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return .missing }
      throw .unusable(path, String(cString: strerror(errno)), remedy: "check its folder and who may read it")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .unusable(path, "it is not a file", remedy: "choose another name with --history")
    }
    try judge(try header(of: path), size: Int(status.st_size), path)
    return .history
  }

  private static func header(of path: String) throws(HistoryError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .unusable(path, String(cString: strerror(errno)), remedy: "check who may read it")
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: headerSize)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  private static func judge(_ header: [UInt8], size: Int, _ path: String) throws(HistoryError) {
    if size == 0 { throw .unusable(path, "it is empty, so all its runs are gone", remedy: restore) }
    guard header.starts(with: magic.prefix(header.count)) else {
      throw .unusable(path, "it is no SQLite file", remedy: "choose the history with --history")
    }
    guard header.count == headerSize else {
      throw .unusable(path, "it was cut off after \(size) bytes", remedy: restore)
    }
    guard number(header, at: 68, bytes: 4) == Int(applicationID) else {
      throw .unusable(
        path, "it is an SQLite file of another program", remedy: "choose the history with --history")
    }
  }

  /// Returns the error for a truncated file. Nil if the file is complete. Call this while no program writes, because otherwise the header may be
  /// ahead of the pages. SQLite itself does not notice that a part of the last page is missing.
  static func truncation(of path: String) -> HistoryError? {
    var status = stat()
    guard stat(path, &status) == 0, let header = try? header(of: path), header.count == headerSize else {
      return nil
    }
    let pageSize = number(header, at: 16, bytes: 2) == 1 ? 65_536 : number(header, at: 16, bytes: 2)
    let (size, whole) = (Int(status.st_size), pageSize * number(header, at: 28, bytes: 4))
    guard size < whole else { return nil }
    return .unusable(path, "it was cut off: it has \(size) of \(whole) bytes", remedy: restore)
  }

  private static let restore = "restore it from a copy, or begin another with --history"

  /// Returns a big-endian number.
  private static func number(_ header: [UInt8], at offset: Int, bytes: Int) -> Int {
    header[offset..<offset + bytes].reduce(0) { $0 << 8 | Int($1) }
  }
}
