/// Words from openly licensed lists. For each word, says whether it is a person's name, and how common it is in print.
struct WordList: Sendable {
  struct Entry: Hashable {
    var isGiven = false
    var isSurname = false
    /// The logarithm of the word's frequency as a name divided by its frequency as an ordinary word, −2…2.5; nil if it is no
    /// name.
    var name: Double?
    /// The frequency class: 0 for a word in no list of words, 1 for the rarest words, 3 for a word that occurs once in a million
    /// words. Each further class is half a decade more common.
    var frequency = 0
  }

  private let text: StaticString

  /// Creates a list from its text.
  /// - Parameter text: entries between blanks or line ends, sorted by their bytes. Each is the word in lower case without
  ///   accents, its frequency class, and for a name its kind (1 given name, 2 surname, 3 both) and `name` in half steps above −2.
  init(_ text: StaticString) { self.text = text }

  /// Looks a word up.
  /// - Parameter word: in lower case, without accents.
  subscript(_ word: String) -> Entry? { text.withUTF8Buffer { Self.entry(of: Array(word.utf8), in: $0) } }

  /// Whether changing or removing one letter of a word, or putting one before it, gives a common word that is no name.
  func isNearWord(_ word: String) -> Bool {
    let letters = Array(word.utf8)
    guard letters.count >= 5, letters.allSatisfy({ (97...122).contains($0) }) else { return false }
    return text.withUTF8Buffer { bytes in
      func isCommon(_ letters: [UInt8]) -> Bool {
        guard let entry = Self.entry(of: letters, in: bytes) else { return false }
        return entry.frequency >= 3 && entry.name == nil
      }
      return letters.indices.contains { place in
        isCommon(Array(letters[..<place] + letters[(place + 1)...]))
          || (97...122).contains { other in
            isCommon(Array(letters[..<place] + [other] + letters[(place + 1)...]))
          }
      } || (97...122).contains { isCommon([$0] + letters) }
    }
  }

  private static func entry(of wanted: [UInt8], in bytes: UnsafeBufferPointer<UInt8>) -> Entry? {
    guard !wanted.isEmpty else { return nil }
    var (low, high) = (0, bytes.count)
    while low < high {
      let start = lineStart((low + high) / 2, in: bytes)
      let end = bytes[start...].firstIndex { $0 <= blank } ?? bytes.count
      let digits = bytes[start..<end].firstIndex { zero...nine ~= $0 } ?? end
      let found = bytes[start..<digits]
      if found.elementsEqual(wanted) { return entry(bytes[digits..<end].map { Int($0 - zero) }) }
      if found.lexicographicallyPrecedes(wanted) { low = min(end + 1, bytes.count) } else { high = start }
    }
    return nil
  }

  private static func lineStart(_ place: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var start = place
    while start > 0, bytes[start - 1] > blank { start -= 1 }
    return start
  }

  private static func entry(_ digits: [Int]) -> Entry? {
    guard let frequency = digits.first else { return nil }
    guard digits.count == 3 else { return Entry(frequency: frequency) }
    return Entry(
      isGiven: digits[1] & 1 != 0, isSurname: digits[1] & 2 != 0, name: Double(digits[2]) / 2 - 2,
      frequency: frequency)
  }

  private static let (blank, zero, nine) = (UInt8(32), UInt8(48), UInt8(57))
}
