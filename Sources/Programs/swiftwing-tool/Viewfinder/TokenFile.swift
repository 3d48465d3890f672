import Glibc
import Harness
import RemoteControl
import System

/// The file of `--token-file`: one token, which nobody but this user may read.
enum TokenFile {
  /// Bytes of it, at most.
  private static let limit = 1024

  /// - Returns: nil where there is no such file.
  /// - Throws: why it cannot be used.
  static func tokenIfThere(_ path: String) throws -> AccessToken? {
    var status = stat()
    return stat(path, &status) != 0 && errno == ENOENT ? nil : try token(path)
  }

  /// - Throws: why it cannot be used.
  static func token(_ path: String) throws -> AccessToken {
    let (file, bytes): (RegularFile.Opened, [UInt8])
    do throws(RegularFile.Trouble) {
      file = try RegularFile.open(path)
      defer { close(file.descriptor) }
      bytes = try RegularFile.read(file, atMost: limit)
    } catch { throw refusal(path, error.reason) }
    if let reason = distrust(file) { throw refusal(path, reason) }
    return try token(of: bytes, "--token-file \(path)")
  }

  /// One line of standard input, which is read once: a link that was lost is made again with the same token.
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
        "cannot use \(place): a token must be 16 to 256 letters, digits, - or _", .usage)
    }
    return token
  }

  /// Why what it says is no secret.
  private static func distrust(_ file: RegularFile.Opened) -> String? {
    if file.owner != geteuid(), file.owner != 0 { return "it belongs to another user" }
    return file.permissions & 0o077 == 0 ? nil : "others may read or change it; `chmod 600` it"
  }

  private static func refusal(_ path: String, _ reason: String) -> Failure {
    Failure("cannot use --token-file \(path): \(reason)", .usage)
  }
}
