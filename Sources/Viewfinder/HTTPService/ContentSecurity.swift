import COpenSSL
import FoundationEssentials

/// Sources for a `Content-Security-Policy` (W3C, Content Security Policy Level 3).
package enum ContentSecurity {
  /// The source that allows one script or style by its content: `'sha256-…'`. A browser runs no other script, whatever is injected into the
  /// page.
  /// - Parameter text: the whole text between its tags.
  /// - Returns: `'none'`, which allows nothing, if SHA-256 is unavailable.
  package static func source(of text: String) -> String {
    let bytes = Array(text.utf8)
    var digest = [UInt8](repeating: 0, count: 32)
    guard EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil) == 1 else { return "'none'" }
    return "'sha256-\(Data(digest).base64EncodedString())'"
  }
}
