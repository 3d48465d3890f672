import Glibc

/// A word of a spine, and the features, by name, that predict its role; most are 0…1.
package struct MeasuredWord: Sendable, Hashable, Encodable {
  package var text: String
  /// The index of the word's line, from 0.
  package var line: Int
  /// Whether the word belongs to a shelf mark, and so to neither title nor author.
  package var isMark: Bool
  package var features: [String: Double]
  /// The features of the step from the preceding word to this one.
  package var step: [String: Double]
}

/// The features that predict roles: those of every word of a spine, and those of each step from one word to the next.
struct PartMeasures {
  /// The words, in reading order.
  let words: [SpineWord]
  /// The features of each word, by name. Names of the line's features begin with "L.", of the word's own with "t.", of the words
  /// before and after it on the line with "p." and "n.".
  private(set) var features: [[String: Double]] = []
  /// The features of the step from the preceding word to each word; empty for the first.
  private(set) var steps: [[String: Double]] = []

  /// Whether each word belongs to a shelf mark, and so to neither title nor author.
  let isMark: [Bool]

  let lines: LineMeasure
  let measures: [WordMeasure]
  private let byLine: [[String: Double]]
  /// The features of `byLine`, with "L." before their names.
  private let ofLine: [[String: Double]]
  private let band: Double

  init(_ spine: ShelfText.Spine, on shelf: ShelfText, colors: [LineColors]) {
    let byLine = spine.words.map { $0.map { WordMeasure($0) } }
    let lines = LineMeasure(spine, shelf, colors: colors, words: byLine)
    self.lines = lines
    words = spine.words.flatMap { $0 }
    measures = byLine.flatMap { $0 }
    isMark = words.map { ShelfMark.isSure(spine.words[$0.line]) }
    self.byLine = LineContext.together(spine.lines.indices.map(lines.features), words: byLine)
    ofLine = self.byLine.map { line in
      Dictionary(uniqueKeysWithValues: line.map { ("L." + $0.key, $0.value) })
    }
    band = max(1, shelf.band(of: spine).length)
    features = words.indices.map(word)
    steps = words.indices.map { $0 == 0 ? [:] : step(to: $0) }
  }

  var measured: [MeasuredWord] {
    words.indices.map {
      MeasuredWord(
        text: words[$0].text, line: words[$0].line, isMark: isMark[$0], features: features[$0],
        step: steps[$0])
    }
  }

  /// Whether a person's name may begin with a word and continue with the next, on the same line or on the next one.
  func beginsName(_ index: Int) -> Bool {
    features[index]["t.pair1"] == 1 || features[index]["t.turns1"] == 1
  }

  /// Returns the measure of the word `offset` places away, if it is on the same line.
  private func neighbour(_ index: Int, _ offset: Int) -> WordMeasure? {
    let place = index + offset
    guard words.indices.contains(place), words[place].line == words[index].line else { return nil }
    return measures[place]
  }

  private func word(_ index: Int) -> [String: Double] {
    let (word, measure) = (words[index], measures[index])
    var features = ofLine[word.line]
    for (name, value) in measure.features { features["t." + name] = value }
    for (name, value) in name(index) { features["t." + name] = value ? 1 : 0 }
    features["t.firstinline"] = word.place == 0 ? 1 : 0
    features["t.lastinline"] = word.place == word.count - 1 ? 1 : 0
    for (name, value) in ends(index) where value { features["t." + name] = 1 }
    let isTelling = word.core.count > 2 && !measure.isFunction
    features["t.seen"] = isTelling ? log(1 + Double(lines.shelf.copies(of: word))) : 0
    for (prefix, offset) in [("p.", -1), ("n.", 1)] {
      guard let other = neighbour(index, offset) else {
        features[prefix + "none"] = 1
        continue
      }
      let kinds = [
        "given": other.isGiven, "initial": other.isInitial, "func": other.isFunction, "last": other.isSurname,
        "word": other.isWord, "unk": other.isUnknown, "conn": other.isJoining,
        "comma": other.word.text.last == ",",
      ]
      for (name, value) in kinds where value { features[prefix + name] = 1 }
    }
    return features
  }

  /// Returns features of the word's position in a possible person's name.
  private func name(_ index: Int) -> [String: Bool] {
    let (word, measure) = (words[index], measures[index])
    func begins(_ offset: Int) -> Bool {
      neighbour(index, offset).map { $0.isGiven || $0.isInitial } ?? false
    }
    let before = neighbour(index, -1)
    let isPrinted = word.letters == .capitals || word.letters == .capitalised
    return [
      "pair1": begins(0) && (neighbour(index, 1).map { $0.isNamelike || $0.isInitial } ?? false),
      "pair2": begins(-1) && measure.isNamelike,
      "pair3": begins(-2) && measure.isNamelike
        && (before.map { $0.isInitial || $0.isGiven || PartWords.particles.contains($0.word.core) } ?? false),
      "afterpair": begins(-2) && (before.map { $0.isNamelike && !$0.isInitial } ?? false),
      "beforepair": begins(1) && (neighbour(index, 2)?.isNamelike ?? false),
      "startname": word.place == 0 && measure.isNamelike && isPrinted,
      "endname": word.place == word.count - 1 && measure.isNamelike && isPrinted,
      "givenstart": word.place == 0 && measure.isGiven,
    ]
  }

  /// Returns whether a person's name may continue from this word on the next line, or from the line before with this word.
  private func ends(_ index: Int) -> [String: Bool] {
    let isEnd = index + 1 < words.count && words[index + 1].line != words[index].line
    let isBegin = index > 0 && words[index - 1].line != words[index].line
    return [
      "turns1": isEnd && Self.isPair(measures[index], measures[min(index + 1, words.count - 1)]),
      "turns2": isBegin && Self.isPair(measures[max(0, index - 1)], measures[index]),
    ]
  }

  private static func isPair(_ first: WordMeasure, _ second: WordMeasure) -> Bool {
    (first.isGiven || first.isInitial) && (second.isNamelike || second.isInitial)
  }

  private func step(to index: Int) -> [String: Double] {
    words[index].line == words[index - 1].line ? stepOnLine(index) : stepToLine(index)
  }

  /// Returns the features of a step to the next word of the same line.
  private func stepOnLine(_ index: Int) -> [String: Double] {
    let (before, after) = (measures[index - 1], measures[index])
    let cases = Set([before.word.letters, after.word.letters])
    let areLong = before.word.core.count > 1 && after.word.core.count > 1
    let steps = [
      "brk": after.word.isApart, "case": areLong && cases == [.capitals, .capitalised],
      "uplow": cases == [.capitals, .small], "comma": before.word.text.last == ",",
      "colon": before.word.text.last == ":", "func": before.isFunction || after.isFunction,
      "afterpair": features[index]["t.afterpair"] == 1, "beforepair": features[index]["t.beforepair"] == 1,
      "pair": features[index]["t.pair2"] == 1, "len": after.word.count >= 5,
      "toword": before.isNamelike && after.isWord, "toname": before.isWord && after.isNamelike,
      "name": (before.isGiven || before.isInitial) && !after.isFunction,
    ]
    var result = ["same": 1.0]
    if let gap = after.word.gap {
      let others = words.filter { $0.line == after.word.line }.compactMap(\.gap).sorted()
      let usual = others.isEmpty ? gap : others[(others.count - 1) / 2]
      result["same.gap"] = min(2, gap)
      result["same.wide"] = min(2, max(0, gap - usual))
      result["same.widest"] =
        others.count > 1 && gap == others.last && gap > 1.4 * others[others.count - 2] ? 1 : 0
    }
    for (name, value) in steps where value { result["same." + name] = 1 }
    return result
  }

  /// Returns the features of a step to the first word of the next line.
  private func stepToLine(_ index: Int) -> [String: Double] {
    let (first, second) = (words[index - 1].line, words[index].line)
    let spine = lines.spine
    let change = abs(
      log(max(1, spine.lines[second].region.height) / max(1, spine.lines[first].region.height)))
    let (a, b) = (spine.extents[first].along, spine.extents[second].along)
    let (ink, ground) = (
      LineMeasure.difference(lines.colors[first].ink, lines.colors[second].ink),
      LineMeasure.difference(lines.colors[first].ground, lines.colors[second].ground)
    )
    return [
      "new": 1, "new.alike": change < 0.2 ? 1 : 0, "new.diff": min(1.5, change), "new.ink": ink,
      "new.ground": ground, "new.beside": a.share(b) > 0.4 ? 1 : 0,
      "new.gap": min(1, max(0, -a.overlap(b)) / band * 4),
      "new.case": byLine[first]["upper"] != byLine[second]["upper"] ? 1 : 0,
      "new.func": measures[index - 1].isFunction ? 1 : 0,
      "new.begins": measures[index].isFunction ? 1 : 0,
      "new.pair": Self.isPair(measures[index - 1], measures[index]) ? 1 : 0,
      "new.names": measures[index - 1].isNamelike && measures[index].isNamelike ? 1 : 0,
      "new.words": measures[index - 1].isWord && measures[index].isWord ? 1 : 0,
      "new.comma": words[index - 1].text.last == "," || measures[index].isJoining ? 1 : 0,
      "new.colon": words[index - 1].text.last == ":" ? 1 : 0,
    ]
  }
}
