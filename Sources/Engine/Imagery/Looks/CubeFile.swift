/// The contents of a `.cube` file: Adobe's "Cube LUT Specification 1.0" (2013), and the dialect of DaVinci Resolve. In the dialect one file may
/// have curves and a lattice, `LUT_1D_INPUT_RANGE` and `LUT_3D_INPUT_RANGE` give a range, and `LUT_IN_VIDEO_RANGE` and `LUT_OUT_VIDEO_RANGE` mean
/// that the table's input and output are codes of video range, while the picture's own light is 0 to 1.
///
/// Accepted beyond the specification: a byte order mark, tabs, any of the three line ends, blanks before a line, comments behind numbers, lower-case
/// keywords, a repeated title, a domain behind the table. Not accepted: an unknown keyword, because it might change the meaning of the numbers.
struct CubeFile {
  private(set) var title: String?
  /// The number of entries of each curve; nil without curves.
  private(set) var curveSize: Int?
  /// The number of nodes along each axis of the lattice; nil without a lattice.
  private(set) var latticeSize: Int?
  private var domainMinimum: [Double]?
  private var domainMaximum: [Double]?
  private var curveRange: [Double]?
  private var latticeRange: [Double]?
  private var (takesVideoRange, givesVideoRange) = (false, false)
  /// Red, green and blue of every row, the curves' first.
  private(set) var values: [Float] = []

  private var line = 1
  private var rows = 0
  private var seen: Set<String> = []

  /// - Throws: `LookupError`, whose line number starts at 1.
  init(_ bytes: UnsafeRawBufferPointer) throws(LookupError) {
    guard bytes.count <= ColorLookup.mostBytes else {
      throw LookupError(
        .tooLarge, "it has \(bytes.count) bytes, more than the \(ColorLookup.mostBytes) allowed",
        remedy: "export a smaller table")
    }
    let text = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(Self.mark(bytes)))
    guard !text.contains(where: Self.isBinary) else {
      throw LookupError(.notText, "it is not text")
    }
    // A row takes at least six bytes, so no claimed size costs more memory than the file has.
    values.reserveCapacity(min(text.count / 6 * 3, ColorLookup.mostValues))
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex { $0 == 10 || $0 == 13 } ?? text.count
      try read(UnsafeRawBufferPointer(rebasing: text[start..<end]))
      start = end + 1
      if end + 1 < text.count, text[end] == 13, text[end + 1] == 10 { start += 1 }
      line += 1
    }
    try finish()
  }

  /// The length of a UTF-8 byte order mark.
  private static func mark(_ bytes: UnsafeRawBufferPointer) -> Int {
    bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
  }

  /// Whether the byte is a control character other than a tab or a line end.
  private static func isBinary(_ byte: UInt8) -> Bool {
    byte < 32 && byte != 9 && byte != 10 && byte != 13 || byte == 127
  }

  /// The longest line that is no comment, in bytes. The specification allows 250; the words of an endless line would take more memory than the file.
  private static let longestLine = 1024

  private mutating func read(_ text: UnsafeRawBufferPointer) throws(LookupError) {
    guard let start = text.firstIndex(where: { $0 != 32 && $0 != 9 }), text[start] != UInt8(ascii: "#") else {
      return
    }
    guard text.count - start <= Self.longestLine else {
      throw LookupError(
        .badLine, line: line,
        "there are \(text.count - start) bytes, more than the \(Self.longestLine) allowed")
    }
    let end = text[start...].firstIndex(of: UInt8(ascii: "#")) ?? text.count
    let words = text[start..<end].split { $0 == 32 || $0 == 9 }
    guard let first = words.first, let initial = first.first else { return }
    if Self.isLetter(initial), !CubeNumber.isNotFinite(first) {
      return try keyword(Self.text(first).uppercased(), Array(words.dropFirst()), text: text)
    }
    try row(words)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte & 0xDF) || byte == UInt8(ascii: "_")
  }

  /// The printable part of untrusted text, shortened.
  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    String(decoding: bytes.prefix(40).map { (33...126).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }

  // MARK: Rows

  private var expectedRows: Int {
    (curveSize ?? 0) + (latticeSize.map { $0 * $0 * $0 } ?? 0)
  }

  private mutating func row(_ words: [Slice<UnsafeRawBufferPointer>]) throws(LookupError) {
    guard curveSize != nil || latticeSize != nil else {
      throw LookupError(
        .noSize, line: line, "there are numbers before LUT_1D_SIZE or LUT_3D_SIZE")
    }
    guard words.count == 3 else {
      throw LookupError(
        .badLine, line: line, "a row has \(words.count) value\(words.count == 1 ? "" : "s") in place of three"
      )
    }
    rows += 1
    // Count surplus rows without storing them.
    guard rows <= expectedRows else { return }
    for word in words { values.append(Float(try number(word))) }
  }

  private func number(_ word: Slice<UnsafeRawBufferPointer>) throws(LookupError) -> Double {
    if let value = CubeNumber.value(word), Float(value).isFinite { return value }
    if CubeNumber.isNotFinite(word) || CubeNumber.value(word) != nil {
      throw LookupError(.notFinite, line: line, "\(Self.text(word)) is not a finite number")
    }
    throw LookupError(
      .badLine, line: line, "\(Self.text(word)) is not a number such as 0.5 or 5e-1")
  }

  // MARK: Keywords

  private mutating func keyword(
    _ name: String, _ words: [Slice<UnsafeRawBufferPointer>], text: UnsafeRawBufferPointer
  ) throws(LookupError) {
    guard rows == 0 || !name.hasSuffix("D_SIZE") else {
      throw LookupError(.badLine, line: line, "\(name) comes after the table has begun")
    }
    guard seen.insert(name).inserted || name == "TITLE" else {
      throw LookupError(.badLine, line: line, "\(name) is given twice")
    }
    switch name {
    case "TITLE": title = Self.title(text)
    case "LUT_1D_SIZE": curveSize = try size(name, words, legal: ColorLookup.curveSizes)
    case "LUT_3D_SIZE": latticeSize = try size(name, words, legal: ColorLookup.latticeSizes)
    case "DOMAIN_MIN": domainMinimum = try numbers(name, words, count: 3)
    case "DOMAIN_MAX": domainMaximum = try numbers(name, words, count: 3)
    case "LUT_1D_INPUT_RANGE": curveRange = try numbers(name, words, count: 2)
    case "LUT_3D_INPUT_RANGE": latticeRange = try numbers(name, words, count: 2)
    case "LUT_IN_VIDEO_RANGE": takesVideoRange = try numbers(name, words, count: 0).isEmpty
    case "LUT_OUT_VIDEO_RANGE": givesVideoRange = try numbers(name, words, count: 0).isEmpty
    default:
      throw LookupError(
        .unknownKeyword, line: line,
        "\(name) is not a keyword of .cube files, and might change the meaning of the numbers")
    }
  }

  /// The text between the quotation marks, or without them the text after the keyword, within the first 300
  /// bytes of the line.
  private static func title(_ text: UnsafeRawBufferPointer) -> String {
    let words = String(decoding: text.prefix(300), as: UTF8.self)
    guard let quote = words.firstIndex(of: "\"") else {
      return String(words.drop { $0 == " " || $0 == "\t" }.dropFirst(5).drop { $0 == " " || $0 == "\t" })
    }
    let rest = words[words.index(after: quote)...]
    return String(rest[..<(rest.lastIndex(of: "\"") ?? rest.endIndex)])
  }

  private func size(
    _ name: String, _ words: [Slice<UnsafeRawBufferPointer>], legal: ClosedRange<Int>
  ) throws(LookupError) -> Int {
    let text = words.first.map(Self.text) ?? ""
    guard words.count == 1, let size = Int(text) else {
      throw LookupError(.badSize, line: line, "\(name) is not followed by one whole number")
    }
    guard legal.contains(size) else {
      throw LookupError(
        .badSize, line: line, "\(name) is \(size), outside \(legal.lowerBound) to \(legal.upperBound)")
    }
    return size
  }

  private func numbers(
    _ name: String, _ words: [Slice<UnsafeRawBufferPointer>], count: Int
  ) throws(LookupError) -> [Double] {
    guard words.count == count else {
      throw LookupError(
        .badLine, line: line, "\(name) is followed by \(words.count) numbers in place of \(count)")
    }
    var values: [Double] = []
    for word in words { values.append(try number(word)) }
    return values
  }

  // MARK: The whole file

  private mutating func finish() throws(LookupError) {
    guard curveSize != nil || latticeSize != nil else {
      guard seen.isEmpty else { throw LookupError(.noSize, "it has no LUT_1D_SIZE and no LUT_3D_SIZE") }
      throw LookupError(.empty, "it is empty")
    }
    guard rows >= expectedRows else {
      throw LookupError(.tooFewRows, "it ends after \(rows) of \(expectedRows) rows")
    }
    guard rows == expectedRows else {
      throw LookupError(.tooManyRows, "it has \(rows) rows, but its size requires \(expectedRows)")
    }
    let hasDomain = domainMinimum != nil || domainMaximum != nil
    guard !(hasDomain && (curveRange != nil || latticeRange != nil)) else {
      throw LookupError(.badDomain, "it gives its domain in two ways, as DOMAIN_… and as LUT_…_INPUT_RANGE")
    }
    guard !(hasDomain && curveSize != nil && latticeSize != nil) else {
      throw LookupError(
        .badDomain, "it has a 1D and a 3D table, and DOMAIN_… does not say to which of them it applies")
    }
    for domain in [curveDomain, latticeDomain] {
      guard domain.allSatisfy({ $0.minimum < $0.maximum }) else {
        throw LookupError(.badDomain, "the lower bound of its domain is not below the upper bound")
      }
    }
    guard givesVideoRange else { return }
    // With two tables, only the lattice gives output.
    for place in (latticeSize == nil ? 0 : (curveSize ?? 0) * 3)..<values.count {
      values[place] = Float(VideoRange.light(Double(values[place])))
    }
  }

  /// The domains of red, green and blue. A range that the file gives for the missing table applies to the present one, as some programs write it.
  var curveDomain: [ChannelDomain] {
    domain(curveRange ?? (latticeSize == nil ? latticeRange : nil), isFirst: true)
  }
  var latticeDomain: [ChannelDomain] {
    domain(latticeRange ?? (curveSize == nil ? curveRange : nil), isFirst: curveSize == nil)
  }

  /// - Parameter isFirst: whether the table's input is the picture, not the output of another table.
  private func domain(_ range: [Double]?, isFirst: Bool) -> [ChannelDomain] {
    let minimum: [Double] = range.map { Array(repeating: $0[0], count: 3) } ?? domainMinimum ?? [0, 0, 0]
    let maximum: [Double] = range.map { Array(repeating: $0[1], count: 3) } ?? domainMaximum ?? [1, 1, 1]
    return (0..<3).map { channel in
      let (first, last) = (minimum[channel], maximum[channel])
      guard isFirst, takesVideoRange else { return ChannelDomain(minimum: first, maximum: last) }
      return ChannelDomain(minimum: VideoRange.light(first), maximum: VideoRange.light(last))
    }
  }
}

/// Codes of video range divided by 1023, black at 64 and white at 940, as in DaVinci Resolve's tables.
private enum VideoRange {
  /// The light, black 0 and white 1, of a code of video range that was already divided by 1023.
  static func light(_ code: Double) -> Double { (code * 1023 - 64) / (940 - 64) }
}

/// A number in a `.cube` file: decimal, with a point, in no locale.
enum CubeNumber {
  /// Nil for text that is no number, including infinite and hexadecimal ones.
  static func value(_ word: Slice<UnsafeRawBufferPointer>) -> Double? {
    guard word.count <= 64, word.allSatisfy(isPart) else { return nil }
    return Double(String(decoding: word, as: UTF8.self))
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  /// "nan", "inf" and "infinity" with any sign, as programs print them.
  static func isNotFinite(_ word: Slice<UnsafeRawBufferPointer>) -> Bool {
    let letters = word.prefix(16).map { $0 | 0x20 }.drop {
      $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
    }
    return word.count <= 16
      && ["nan", "inf", "infinity", "1.#inf", "1.#ind", "1.#qnan"].contains { letters.elementsEqual($0.utf8) }
  }
}
