import CZlib
import Glibc

/// The bytes of a file that a person names, in pieces; what gzip has compressed is expanded on the way.
struct ListFile {
  /// Most bytes of a file, expanded: several times the largest dump of Open Library.
  static let limit = 1 << 39
  private static let pieceSize = 1 << 16
  /// Lists become a tenth of their size, at most a hundredth; what becomes less is made to fill memory or time.
  private static let (ratioLimit, ratioSize) = (250, 1 << 26)

  let path: String
  /// What it is read for.
  var action = "import"

  /// - Parameter take: gets up to 64 KB at a time.
  /// - Throws: `badInput` when it is no regular file, is too large, or its compression is damaged; what `take` throws.
  func read(_ take: (ArraySlice<UInt8>) throws -> Void) throws {
    // A pipe without a writer must not hold us up.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw refusal(String(cString: strerror(errno)), "check its name and permissions")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw refusal("it is not a file", "name one")
    }
    guard let file = gzdopen(descriptor, "rb") else {
      close(descriptor)
      throw refusal("there is no memory for it", "try again")
    }
    defer { gzclose(file) }
    var (piece, total) = ([UInt8](repeating: 0, count: Self.pieceSize), 0)
    while true {
      let count = Int(gzread(file, &piece, UInt32(piece.count)))
      if count <= 0 { return try checkEnd(of: file, count) }
      total += count
      guard total <= Self.limit else { throw refusal("it is larger than \(Self.limit >> 30) GB", "split it") }
      guard total < Self.ratioSize || total / Self.ratioLimit < max(1, gzoffset(file)) else {
        throw refusal(
          "it expands to more than \(Self.ratioLimit) times its size, as no list of books does", "check it")
      }
      try take(piece[..<count])
    }
  }

  /// A compressed file that was cut off ends without its checksum.
  private func checkEnd(of file: gzFile, _ count: Int) throws(CatalogueError) {
    var code: Int32 = 0
    let text = gzerror(file, &code).map { String(cString: $0) } ?? ""
    guard count < 0 || code == Z_BUF_ERROR else { return }
    let reason = code == Z_BUF_ERROR ? "its compressed data is cut off" : "it cannot be read (\(text))"
    throw refusal(reason, "fetch it again")
  }

  private func refusal(_ reason: String, _ remedy: String) -> CatalogueError {
    CatalogueError(.badInput, "\(action) \(path)", reason: reason, remedy: remedy)
  }
}
