/// The secret that a client of the viewfinder must know. It is compared in constant time.
package struct AccessToken: Sendable {
  /// 32 hexadecimal digits, or the text of a file.
  package let text: String

  /// Creates a random token.
  package init() {
    var generator = SystemRandomNumberGenerator()
    text = (0..<16).map { _ in
      let byte = UInt8.random(in: 0...255, using: &generator)
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// - Returns: nil if `text` is shorter than 16 or longer than 256 characters, or has other characters than letters, digits, `-` and `_`.
  package init?(_ text: String) {
    let isPlain = text.utf8.allSatisfy {
      (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 95
    }
    guard (16...256).contains(text.utf8.count), isPlain else { return nil }
    self.text = text
  }

  package func matches(_ other: String) -> Bool {
    let (mine, theirs) = (Array(text.utf8), Array(other.utf8))
    var difference = UInt8(mine.count == theirs.count ? 0 : 1)
    for index in mine.indices { difference |= mine[index] ^ (index < theirs.count ? theirs[index] : 0) }
    return difference == 0
  }
}
