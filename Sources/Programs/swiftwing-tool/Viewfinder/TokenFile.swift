import Glibc
import Harness
import RemoteControl
import System

/// The file of `--token-file`, with one token. Only this user may read it.
enum TokenFile {
  /// The greatest size of the file, bytes.
  private static let limit = 1024

  /// Reads the token of a file.
  /// - Returns: nil if the file does not exist.
  /// - Throws: the reason why it cannot be used.
  static func tokenIfThere(_ path: String) throws -> AccessToken? {
    var status = stat()
    return stat(path, &status) != 0 && errno == ENOENT ? nil : try token(path)
  }

  /// Reads the token of a file.
  /// - Throws: the reason why it cannot be used.
  static func token(_ path: String) throws -> AccessToken {
    let (file, bytes): (RegularFile.Opened, [UInt8])
    do throws(RegularFile.Trouble) {
      file = try RegularFile.open(path)
      defer { close(file.descriptor) }
      bytes = try RegularFile.read(file, atMost: limit)
    } catch { throw refusal(path, "\(error.reason); check its name and its permissions") }
    if let reason = distrust(file) { throw refusal(path, reason) }
    return try token(of: bytes, "--token-file \(path)")
  }

  /// Returns the token on the first line of standard input. It is read once, so that a lost link can be opened again with the
  /// same token.
  static func tokenOfInput() throws -> AccessToken { try input.get() }

  private static let input = Result { try readInput() }

  private static func readInput() throws -> AccessToken {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count <= limit, read(STDIN_FILENO, &byte, 1) == 1, byte != 10 { bytes.append(byte) }
    return try token(of: bytes, "the token of standard input")
  }

  static func token(of bytes: [UInt8], _ place: String) throws -> AccessToken {
    let plain = bytes.filter { ![9, 10, 13, 32].contains($0) }
    guard let token = AccessToken(String(decoding: plain, as: UTF8.self)) else {
      throw Failure(
        "cannot use \(place): a token must be 16 to 256 letters, digits, - or _; give the one that "
          + "`swiftwing view --serve` printed", .usage)
    }
    return token
  }

  /// Returns the reason why the file's content is not secret; nil if it is.
  private static func distrust(_ file: RegularFile.Opened) -> String? {
    if file.owner != geteuid(), file.owner != 0 {
      return "it belongs to another user; name a file of your own"
    }
    return file.permissions & 0o077 == 0 ? nil : "others may read or change it; `chmod 600` it"
  }

  private static func refusal(_ path: String, _ reason: String) -> Failure {
    Failure("cannot use --token-file \(path): \(reason)", .usage)
  }
}
