/// Searches a text for ISBNs, as groups of digits.
struct ISBNText {
  /// The maximum number of characters that are searched.
  private static let limit = 4096

  /// Consecutive digits, without the dashes between them. The value 10 represents `X`.
  private typealias Group = [UInt8]

  private let text: String
  /// The text folded to ASCII: digits and lower-case letters, `-` for every dash, a space for every space, `?` for all other characters.
  private let folded: [UInt8]
  /// Groups that are separated only by spaces.
  private var runs: [[Group]] = []
  private var letters: [UInt8] = []
  private var hasOthers = false

  init(_ text: String) {
    self.text = text
    folded = Self.fold(text)
    divide()
  }

  /// The ISBN, if the text consists of a single ISBN. Nil otherwise.
  var only: String? {
    let (found, rest) = found()
    guard found.count == 1, !hasOthers, rest.allSatisfy({ $0 == [1, 0] || $0 == [1, 3] }) else { return nil }
    return ["", "isbn", "urnisbn"].contains(String(decoding: letters, as: UTF8.self)) ? found[0] : nil
  }

  var reading: ISBNReading {
    var reading = ISBNReading(isbns: found().isbns)
    guard reading.isbns.isEmpty else { return reading }
    let bare = folded.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "'") }
    if let number = RoundedISBN(bare) {
      reading.isbns = number.whole.flatMap(ISBN.thirteen).map { [$0] } ?? []
      reading.rounded = number
    } else if let isbn = Self.number(bare) {
      reading.isbns = [isbn]
    }
    guard reading.isbns.isEmpty else { return reading }
    reading.trouble = trouble(isRounded: reading.rounded != nil)
    if reading.trouble != nil { reading.text = text }
    return reading
  }

  /// The ISBNs without repetitions, and the groups of digits that are not part of an ISBN.
  private func found() -> (isbns: [String], rest: [[UInt8]]) {
    var (isbns, rest): ([String], [[UInt8]]) = ([], [])
    for run in runs {
      var index = 0
      while index < run.count {
        guard let (isbn, end) = Self.isbn(in: run, at: index) else {
          rest.append(run[index])
          index += 1
          continue
        }
        if !isbns.contains(isbn) { isbns.append(isbn) }
        index = end
      }
    }
    return (isbns, rest)
  }

  /// The ISBN that consecutive groups from `start` form, if they have thirteen or ten digits together.
  private static func isbn(in run: [Group], at start: Int) -> (String, end: Int)? {
    for length in [13, 10] {
      var (digits, end) = (Group(), start)
      while end < run.count, digits.count < length {
        digits += run[end]
        end += 1
      }
      if digits.count == length, let isbn = ISBN.thirteen(digits) { return (isbn, end) }
    }
    return nil
  }

  /// A number as spreadsheets and programs write it: `9,780,306,406,157`, `9780306406157.0`. A number of nine digits gets a leading zero (ISBN
  /// Users' Manual: Standard Book Numbers; or a spreadsheet removed the zero).
  private static func number(_ text: [UInt8]) -> String? {
    let parts = text.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",")
    }
    guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { isDigit($0) || $0 == UInt8(ascii: "x") } }) else {
      return nil
    }
    let isTail = parts.count == 2 && parts[1].allSatisfy { $0 == UInt8(ascii: "0") }
    guard parts.count == 1 || isTail || parts.dropFirst().allSatisfy({ $0.count == 3 }) else { return nil }
    let digits = (isTail ? [parts[0]] : parts).flatMap { $0 }.map {
      $0 == UInt8(ascii: "x") ? 10 : $0 - UInt8(ascii: "0")
    }
    return ISBN.thirteen(digits.count == 9 ? [0] + digits : digits)
  }

  /// The reason why a text has no ISBN. Nil if the text is empty.
  private func trouble(isRounded: Bool) -> String? {
    let count = runs.joined().reduce(0) { $0 + $1.count }
    guard count > 0 || !letters.isEmpty else { return nil }
    let said = "\(CleanText.line(text, characters: 40).debugDescription) is no ISBN"
    if isRounded {
      return
        "\(said): a spreadsheet has rounded the number; give its column the format Text and enter it again"
    }
    let lengths = runs.map { $0.reduce(0) { $0 + $1.count } }
    if let index = lengths.firstIndex(where: { $0 == 10 || $0 == 13 }) {
      let digits = Array(runs[index].joined())
      guard digits.count == 13, !ISBN.hasPrefix(digits) else {
        return "\(said): its check digit does not hold"
      }
      return ISBN.isMusic(digits)
        ? "\(said): it begins with 9790, as numbers of printed music do"
        : "\(said): it does not begin with 978 or 979"
    }
    guard letters.isEmpty || letters.starts(with: "isbn".utf8), count > 0 else { return said }
    return "\(said): it has \(count == 1 ? "1 digit" : "\(count) digits") where an ISBN has 10 or 13"
  }
}

extension ISBNText {
  private static func fold(_ text: String) -> [UInt8] {
    text.unicodeScalars.prefix(limit).compactMap { scalar in
      let value = scalar.value
      // Full-width forms have a fixed offset to ASCII.
      let plain = (0xFF01...0xFF5E).contains(value) ? value - 0xFEE0 : value
      if plain < 0x80 {
        if plain <= 0x20 || plain == 0x7F { return UInt8(ascii: " ") }
        return (65...90).contains(plain) ? UInt8(plain) | 0x20 : UInt8(plain)
      }
      let properties = scalar.properties
      if properties.numericType == .decimal, let digit = properties.numericValue {
        return UInt8(ascii: "0") + UInt8(digit)
      }
      if properties.isWhitespace { return UInt8(ascii: " ") }
      // Skip soft hyphens, joiners and marks.
      if properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format { return nil }
      // The minus sign and the hyphen bullet also serve as dashes.
      if properties.generalCategory == .dashPunctuation || value == 0x2212 || value == 0x2043 {
        return UInt8(ascii: "-")
      }
      return UInt8(ascii: "?")
    }
  }

  private mutating func divide() {
    var (run, group): ([Group], Group) = ([], [])
    func endGroup() {
      if !group.isEmpty { run.append(group) }
      group = []
    }
    for (index, byte) in folded.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): group.append(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "-"), UInt8(ascii: "."): break
      case UInt8(ascii: " "): endGroup()
      case UInt8(ascii: "x") where isCheckDigit(at: index) && !(run.isEmpty && group.isEmpty):
        group.append(10)
        endGroup()
      default:
        endGroup()
        if !run.isEmpty { runs.append(run) }
        run = []
        note(byte)
      }
    }
    endGroup()
    if !run.isEmpty { runs.append(run) }
  }

  /// Whether no letter or digit follows, so that an `X` here is a check digit.
  private func isCheckDigit(at index: Int) -> Bool {
    guard index + 1 < folded.count else { return true }
    return !isDigit(folded[index + 1]) && !Self.isLetter(folded[index + 1])
  }

  private mutating func note(_ byte: UInt8) {
    if Self.isLetter(byte) {
      letters.append(byte)
    } else if !":[](){}\"'=".utf8.contains(byte) {
      hasOthers = true
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) }
}
