import COpenSSL

/// What a `Content-Security-Policy` lets a page have within itself (W3C, Content Security Policy Level 3).
package enum ContentSecurity {
  /// Names one script or style by its content: `'sha256-…'`. A browser runs no other, whatever else comes to stand in the page.
  /// - Parameter text: all that stands between its tags.
  /// - Returns: `'none'`, which allows nothing, where there is no SHA-256.
  package static func source(of text: String) -> String {
    let bytes = Array(text.utf8)
    var digest = [UInt8](repeating: 0, count: 32)
    guard EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil) == 1 else { return "'none'" }
    return "'sha256-\(Base64.text(digest))'"
  }
}

/// RFC 4648, section 4.
package enum Base64 {
  package static func text(_ bytes: [UInt8]) -> String {
    var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
    let count = EVP_EncodeBlock(&text, bytes, CInt(bytes.count))
    return String(decoding: text.prefix(Int(count)), as: UTF8.self)
  }
}
