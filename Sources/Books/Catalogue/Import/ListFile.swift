import CZlib
import Glibc
import System

/// Reads a file that a person named, in pieces. A gzip file is decompressed.
struct ListFile {
  /// The maximum size of a file in bytes, decompressed: several times the largest dump of Open Library.
  static let limit = 1 << 39
  private static let pieceSize = 1 << 16
  /// `ratioLimit`: the maximum compression ratio. `ratioSize`: the decompressed bytes from which the ratio is checked. Lists shrink to a tenth, at
  /// most to a hundredth; a higher ratio suggests a file made to exhaust memory or time.
  private static let (ratioLimit, ratioSize) = (250, 1 << 26)

  let path: String
  /// The operation for error messages.
  var action = "import"

  /// - Parameter take: receives up to 64 KB at a time.
  /// - Throws: `badInput` if the path is not a regular file, the file is too large, or its compression is damaged; the errors of `take`.
  func read(_ take: (ArraySlice<UInt8>) throws -> Void) throws {
    let descriptor: CInt
    do throws(RegularFile.Trouble) { descriptor = try RegularFile.open(path).descriptor } catch {
      guard case .system(let code) = error else { throw refusal("it is not a file", "name a file") }
      throw refusal(String(cString: strerror(code)), "check its name and permissions")
    }
    guard let file = gzdopen(descriptor, "rb") else {
      close(descriptor)
      throw refusal("the system has no memory to read it", "end other programs and try again")
    }
    defer { gzclose(file) }
    var (piece, total) = ([UInt8](repeating: 0, count: Self.pieceSize), 0)
    while true {
      let count = Int(gzread(file, &piece, UInt32(piece.count)))
      // Check at once: since zlib 1.3.2 the next `gzread` clears the error of a truncated file.
      if count < piece.count { try checkEnd(of: file, count) }
      guard count > 0 else { return }
      total += count
      guard total <= Self.limit else { throw refusal("it is larger than \(Self.limit >> 30) GB", "split it") }
      guard total < Self.ratioSize || total / Self.ratioLimit < max(1, gzoffset(file)) else {
        throw refusal(
          "it expands to more than \(Self.ratioLimit) times its size, as no list of books does",
          "check where it comes from")
      }
      try take(piece[..<count])
    }
  }

  /// Checks for an error at the end: a truncated gzip file lacks its checksum.
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
