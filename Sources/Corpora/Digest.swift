import CCrypto

/// SHA-256 (FIPS 180-4), by libcrypto.
enum Digest {
  private static let prefix = "sha256:"

  /// `sha256:` and 64 lower-case hexadecimal digits.
  static func sha256(_ bytes: UnsafeRawBufferPointer) -> String {
    var context = SHA256_CTX()
    var digest = [UInt8](repeating: 0, count: 32)
    SHA256_Init(&context)
    SHA256_Update(&context, bytes.baseAddress, bytes.count)
    SHA256_Final(&digest, &context)
    return prefix
      + digest.reduce(into: "") { text, byte in
        if byte < 16 { text += "0" }
        text += String(byte, radix: 16)
      }
  }

  static func isWellFormed(_ digest: String) -> Bool {
    digest.utf8.count == 71 && digest.hasPrefix(prefix)
      && digest.utf8.dropFirst(7).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
