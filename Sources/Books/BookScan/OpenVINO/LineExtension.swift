/// Reads lines again together with the ground before and behind them, where the detector may have missed the rest of a title,
/// such as a word in a paler colour or letters at the end.
///
/// The new ends are read alone first, because they are shorter and most of them are edges and ornaments. If an end has letters,
/// the whole line is read again. The new line replaces the old one if it has the same text and more.
struct LineExtension {
  let reader: LineReader
  let photo: Raster
  /// The least confidence of a grown line, 0…1. Below it the old line is kept.
  var leastConfidence = 0.85
  /// The least confidence, 0…1, at which a new end with at least two letters causes the whole line to be read again.
  var leastOfEnds = 0.4

  /// Extends lines.
  /// - Returns: the lines in the same order, each grown or unchanged. Grown lines do not overlap.
  func extended(_ lines: [TextLine]) throws(ScanError) -> [TextLine] {
    let grown = try withLetters(lines)
    let readings = try reader.read(grown.map(\.1), in: photo, isSpaced: true)
    let better = zip(grown, readings).map { (place, reading) -> (Int, TextLine) in
      let text = Self.withoutScraps(reading.text, besides: lines[place.0].text)
      let gaps = Self.gaps(reading, of: text)
      return (place.0, TextLine(text: text, confidence: reading.confidence, region: place.1, gaps: gaps))
    }.filter { Self.saysMore($1, than: lines[$0], least: leastConfidence) }
    var (result, taken) = (lines, [TextRegion]())
    for (index, line) in better.sorted(by: { $0.1.confidence > $1.1.confidence }) {
      guard
        !taken.contains(where: {
          $0.intersection(line.region) > 0.1 * line.region.height * line.region.height
        })
      else { continue }
      result[index] = line
      taken.append(line.region)
    }
    return result
  }

  /// Returns the lines whose new ends have letters, with their grown regions.
  private func withLetters(_ lines: [TextLine]) throws(ScanError) -> [(Int, TextRegion)] {
    let growth = LineGrowth(photo: photo)
    let grown = lines.indices.compactMap { index in growth.grown(index, lines).map { (index, $0) } }
    var readings = try reader.read(grown.flatMap(\.1.ends), in: photo)[...]
    return grown.filter { _, line in
      defer { readings = readings.dropFirst(line.ends.count) }
      return readings.prefix(line.ends.count).contains {
        $0.confidence >= leastOfEnds && Self.letters($0.text).count >= 2
      }
    }.map { ($0.0, $0.1.region) }
  }

  /// Returns a grown text without the words of one or two letters at its ends that the old line did not have: edges and ornaments
  /// are read as such words.
  static func withoutScraps(_ grown: String, besides text: String) -> String {
    let known = Set(text.lowercased().split(separator: " "))
    let isScrap = { (word: Substring) in
      letters(String(word)).count < 3 && !known.contains(word.lowercased()[...])
    }
    var words = grown.split(separator: " ")[...]
    while let first = words.first, isScrap(first) { words.removeFirst() }
    while let last = words.last, isScrap(last) { words.removeLast() }
    return words.joined(separator: " ")
  }

  /// Returns the gaps between the words of `text`, which is the reading without some words at its ends. Empty if the gaps are
  /// unknown.
  static func gaps(_ reading: LineReader.Reading, of text: String) -> [Double] {
    let (all, kept) = (reading.text.split(separator: " "), text.split(separator: " "))
    guard let first = kept.first, let start = all.firstIndex(of: first), reading.gaps.count == all.count - 1
    else {
      return []
    }
    return Array(reading.gaps.dropFirst(start).prefix(kept.count - 1))
  }

  /// Whether a grown line is better than the old one: it has the old text with at most one letter in six changed, at least two
  /// letters more, and about as good a confidence and words.
  static func saysMore(_ grown: TextLine, than line: TextLine, least: Double) -> Bool {
    let (old, new) = (letters(line.text), letters(grown.text))
    guard new.count >= old.count + 2, grown.confidence >= max(least, line.confidence - 0.1) else {
      return false
    }
    return ReadText.distance(old, new, isWithin: true) <= old.count / 6
      && PlausibleWords.share(grown.text) >= PlausibleWords.share(line.text) - 0.1
  }

  static func letters(_ text: String) -> [Character] {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
