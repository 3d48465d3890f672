import CCrypto

/// SHA-256 (FIPS 180-4) of bytes that come in pieces, by libcrypto.
struct Digest {
  private static let prefix = "sha256:"
  private var context = SHA256_CTX()

  init() { SHA256_Init(&context) }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    SHA256_Update(&context, bytes.baseAddress, bytes.count)
  }

  /// Returns `sha256:` and 64 lower-case hexadecimal digits. Nothing can be added afterwards.
  mutating func finish() -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    SHA256_Final(&digest, &context)
    return Self.prefix
      + digest.reduce(into: "") { text, byte in
        if byte < 16 { text += "0" }
        text += String(byte, radix: 16)
      }
  }

  static func sha256(_ bytes: UnsafeRawBufferPointer) -> String {
    var digest = Digest()
    digest.update(bytes)
    return digest.finish()
  }

  static func isWellFormed(_ digest: String) -> Bool {
    digest.utf8.count == 71 && digest.hasPrefix(prefix)
      && digest.utf8.dropFirst(7).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
