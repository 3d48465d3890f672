import Glibc

/// The features, by name, of one line of a spine; most are 0…1.
struct LineMeasure {
  let spine: ShelfText.Spine
  let shelf: ShelfText
  let colors: [LineColors]
  let words: [[WordMeasure]]
  /// The index of the line with the largest text.
  let largest: Int
  private let band: ClosedRange<Double>
  private let highest: Double
  private let area: Double

  init(_ spine: ShelfText.Spine, _ shelf: ShelfText, colors: [LineColors], words: [[WordMeasure]]) {
    (self.spine, self.shelf, self.colors, self.words) = (spine, shelf, colors, words)
    let regions = spine.lines.map(\.region)
    largest = regions.indices.max { Self.weight(regions[$0]) < Self.weight(regions[$1]) } ?? 0
    band = shelf.band(of: spine)
    highest = max(1, regions.map(\.height).max() ?? 1)
    area = max(1, regions.reduce(0) { $0 + $1.area })
  }

  private static func weight(_ region: TextRegion) -> Double {
    region.height * region.height.squareRoot() * region.length
  }

  func features(_ line: Int) -> [String: Double] {
    var features = print(line)
    features.merge(place(line)) { first, _ in first }
    features.merge(names(line)) { first, _ in first }
    return features
  }

  /// Features of the letters: size, confidence, case and colour.
  private func print(_ line: Int) -> [String: Double] {
    let (text, words) = (spine.lines[line], spine.words[line])
    let relative = relativeHeight(line)
    let cases = Set(words.map(\.letters)).subtracting([.none])
    let isLargest = line == largest
    return [
      "hrel": relative, "largest": relative > -0.05 ? 1 : 0, "big": isLargest ? 1 : 0,
      "small": relative < -0.7 ? 1 : 0,
      "hmed": max(-1.2, min(1.2, log(max(1, text.region.height) / max(1, shelf.height)))),
      "area": text.region.area / area, "unsure": max(0, 0.95 - text.confidence) * 4,
      "upper": cases == [.capitals] ? 1 : 0, "lower": cases == [.small] ? 1 : 0,
      "ink": Self.difference(colors[line].ink, colors[largest].ink),
      "ground": Self.difference(colors[line].ground, colors[largest].ground),
    ]
  }

  /// Returns ln of a line's height divided by the height of the highest line, at least `least`.
  func relativeHeight(_ line: Int) -> Double {
    max(Self.least, log(max(1, spine.lines[line].region.height) / highest))
  }

  /// The least value of `relativeHeight`.
  static let least = -1.6

  /// Features of the line's place on the spine.
  private func place(_ line: Int) -> [String: Double] {
    let (region, along, span) = (spine.lines[line].region, spine.extents[line].along, max(1, band.length))
    let isAcross = TextRegion.difference(region.angle, spine.main.region.angle)
    let middle = (along.middle - band.lowerBound) / span
    let readsOn = spine.main.region.along.dot(spine.frame.along) > 0
    let head = spine.isStanding ? max(0, 0.25 - (along.lowerBound - band.lowerBound) / span) * 4 : 0
    let foot = spine.isStanding ? max(0, 0.25 - (band.upperBound - along.upperBound) / span) * 4 : 0
    let isSmall = region.height / highest < 0.6
    let count = spine.lines.count
    return [
      "first": line == 0 ? 1 : 0, "last": line == count - 1 ? 1 : 0, "top": head, "foot": foot,
      "footsmall": isSmall ? foot : 0, "rpos": readsOn ? middle : 1 - middle,
      "across": isAcross > 45 && isAcross < 135 ? 1 : 0, "len": min(1.2, along.length / span),
      "beside": spine.extents.indices.contains { $0 != line && spine.extents[$0].along.share(along) > 0.4 }
        ? 1 : 0,
      "l1": count == 1 ? 1 : 0, "l2": count == 2 ? 1 : 0, "l3": count == 3 ? 1 : 0, "l5": count >= 5 ? 1 : 0,
    ]
  }

  /// Features of the line's words.
  private func names(_ line: Int) -> [String: Double] {
    let words = words[line]
    let count = words.count
    func share(_ isOne: (WordMeasure) -> Bool) -> Double {
      Double(words.count(where: isOne)) / Double(max(1, count))
    }
    let isFull = isFullName(line)
    let text = spine.lines[line].text
    let isPair = { (place: Int) in
      (words[place].isGiven || words[place].isInitial) && place + 1 < count && words[place + 1].isNamelike
    }
    let hasName = words.indices.contains(where: isPair)
    return [
      "n1": count == 1 ? 1 : 0, "n2": count == 2 ? 1 : 0, "n3": count == 3 ? 1 : 0, "n4": count >= 4 ? 1 : 0,
      "copies": text.count > 2 ? log(1 + Double(shelf.copies(of: spine.lines[line]))) : 0,
      "gshare": share(\.isGiven), "lshare": share(\.isSurname), "fshare": share(\.isFunction),
      "ushare": share(\.isUnknown), "wshare": share(\.isWord), "pubshare": share(\.isPublisher),
      "misreads": share(\.isMisread), "praise": share(\.isPraise),
      "digits": share(\.hasDigit), "listed": share { $0.word.text.last == "," },
      "nsmean": words.reduce(0) { $0 + ($1.isFunction || $1.isInitial ? 0 : ($1.entry.name ?? 0) / 2) }
        / Double(max(1, count)),
      "hasfunc": words.contains { $0.isFunction && !$0.isJoining } ? 1 : 0, "fullname": isFull ? 1 : 0,
      "name1": isSingleName(line) ? 1 : 0, "mark": ShelfMark.isLikely(spine.words[line]) ? 1 : 0,
      "number": text.allSatisfy { !$0.isLetter } ? 1 : 0,
      "oneshort": words.reduce(0) { $0 + $1.word.core.count } <= 3 ? 1 : 0,
      "nolex": count > 0 && words.allSatisfy { $0.isUnknown || $0.word.core.count <= 2 && !$0.isFunction }
        ? 1 : 0,
      "surnames": count > 0 && words.allSatisfy { $0.isNamelike || $0.isJoining || $0.isInitial } ? 1 : 0,
      "hasname": hasName ? 1 : 0, "hasnameandmore": hasName && count >= 4 ? 1 : 0,
      "wordsum": words.reduce(0) { $0 + Double($1.entry.frequency) } / Double(max(1, count)) / 9,
    ]
  }

  /// Whether a line is a given name or an initial, followed by one to three words that may belong to the name.
  func isFullName(_ line: Int) -> Bool {
    let words = words[line]
    guard (2...4).contains(words.count), let first = words.first, first.isGiven || first.isInitial else {
      return false
    }
    return !words.contains { $0.isFunction || $0.hasDigit || $0.isPublisher }
  }

  func isSingleName(_ line: Int) -> Bool {
    guard words[line].count == 1, let word = words[line].first else { return false }
    return word.isSurname || word.isUnknown
  }

  /// Returns ΔE*ab of two colours, divided by 60, at most 1.
  static func difference(_ first: GroundColor, _ second: GroundColor) -> Double {
    min(1, first.difference(second) / 60)
  }
}
