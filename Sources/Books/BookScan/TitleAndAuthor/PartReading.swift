import Glibc

/// Splits the words of one spine into title and author.
struct PartReading {
  var model = PartModel.fitted
  /// For each feature of a labelling, its weight.
  var choice = PartModel.fittedChoice

  /// The roles of the words of a spine.
  struct Result {
    var roles: [SpinePart.Role]
    /// For each word, the probability of its role, 0…1.
    var probabilities: [Double]
    /// The probability that these roles give the right title and the right author, judged by words and print, 0…1.
    var probability: Double
    /// The probability that title and author are right or nearly so, judged without the features of the whole, 0…1.
    var near: Double
  }

  /// Measures from which the probability is computed that a finding's title and author are right.
  struct Surety {
    /// The probability that title and author were separated rightly, 0…1.
    var probability: Double
    /// The probability that title and author were separated rightly or nearly so, judged without the features of the whole, 0…1.
    var near: Double
    /// Half the mean name score of the author's words; 0 without an author.
    var authorName: Double
    /// Whether the title has a word of an edition or a volume.
    var hasEdition: Bool
    /// How common the title's words are in print, 0…1: see `LabellingMeasure.frequency`.
    var titleFrequency: Double
    /// A fourth of the number of the title's words beyond seven.
    var titleExcess: Double
  }

  /// Makes a finding of a spine.
  /// - Parameter spine: a spine with at least one line that has words.
  /// - Returns: nil if no line has words. The finding's confidence is the mean probability of the letters.
  func finding(_ spine: ShelfText.Spine, _ measures: PartMeasures) -> (SpineFinding, Surety)? {
    guard spine.lines.contains(where: { SpineReading.isWorded($0.text) }) else { return nil }
    let result = named(titled(result(measures), spine, measures.words), measures.words)
    let words = zip(measures.words, result.roles)
    let titleLines = Set(words.filter { $0.1 == .title }.map(\.0.line)).map { spine.lines[$0] }
    guard let main = titleLines.max(by: { $0.region.area < $1.region.area }),
      let box = Box.around(spine.box)
    else { return nil }
    let worded = spine.worded
    let letters = worded.reduce(0) { $0 + $1.text.count }
    let author = Self.text(.author, measures.words, result.roles)
    let finding = SpineFinding(
      title: Self.text(.title, measures.words, result.roles), author: author.isEmpty ? nil : author,
      confidence: worded.reduce(0) { $0 + $1.confidence * Double($1.text.count) } / Double(max(1, letters)),
      box: box,
      angle: main.region.angle, parts: Self.parts(measures.words, result))
    let measured = zip(measures.measures, result.roles)
    let titled = measured.filter { $0.1 == .title }.map(\.0)
    let surety = Surety(
      probability: result.probability, near: result.near,
      authorName: LabellingMeasure.name(measured.filter { $0.1 == .author }.map(\.0)),
      hasEdition: titled.contains { PartWords.edition.contains($0.word.core) },
      titleFrequency: LabellingMeasure.frequency(titled),
      titleExcess: LabellingMeasure.excess(titled.count))
    return (finding, surety)
  }

  /// Returns the labelling with the best expected gain by all features. Its probability is the sum of the probabilities of all
  /// labellings that give the same title and author.
  func result(_ measures: PartMeasures) -> Result {
    let reading = model.reading(measures)
    let scores = reading.labellings.map { labelling in
      LabellingMeasure(measures, labelling.roles).features(labelling.probability).reduce(0) {
        $0 + $1.value * (choice[$1.key] ?? 0)
      }
    }
    let total = PartModel.logSum(scores)
    let ways = zip(reading.labellings, scores).map { PartWay(roles: $0.roles, probability: exp($1 - total)) }
    let gains = ways.map { way in ways.reduce(0) { $0 + way.gain(if: $1) } }
    guard let best = gains.indices.max(by: { gains[$0] < gains[$1] }) else {
      return Result(roles: [], probabilities: [], probability: 0, near: 0)
    }
    let roles = ways[best].roles
    let fields = { (roles: [SpinePart.Role]) in
      [SpinePart.Role.title, .author].map { Self.text($0, measures.words, roles) }
    }
    let wanted = fields(roles)
    let letters = measures.words.map { word in word.text.count { $0.isLetter || $0.isNumber } }
    return Result(
      roles: roles,
      probabilities: zip(reading.marginals, roles).map { marginals, role in
        SpinePart.Role.allCases.firstIndex(of: role).map { marginals[$0] } ?? 0
      }, probability: ways.filter { fields($0.roles) == wanted }.reduce(0) { $0 + $1.probability },
      near: reading.labellings.reduce(0) {
        $0 + (ways[best].isNear($1.roles, letters: letters) ? $1.probability : 0)
      })
  }

  /// If no word was labelled as title, makes the largest line with words the title, since every spine has one.
  private func titled(_ result: Result, _ spine: ShelfText.Spine, _ words: [SpineWord]) -> Result {
    guard !result.roles.contains(.title) else { return result }
    let worded = Set(words.map(\.line)).filter { SpineReading.isWorded(spine.lines[$0].text) }
    let largest = worded.max {
      (spine.lines[$0].region.height, $0) < (spine.lines[$1].region.height, $1)
    }
    var result = result
    for index in words.indices where words[index].line == largest {
      result.roles[index] = .title
      result.probabilities[index] = 0
    }
    (result.probability, result.near) = (0, 0)
    return result
  }

  /// Removes words from the fields: the author's words if none has a letter; from a title that has letters, its prices and the
  /// order number at its end.
  private func named(_ result: Result, _ words: [SpineWord]) -> Result {
    let hasLetters = { (role: SpinePart.Role) in
      Self.text(role, words, result.roles).contains(where: \.isLetter)
    }
    let (isNamed, isWorded) = (hasLetters(.author), hasLetters(.title))
    var (result, isEnd) = (result, isWorded)
    for index in words.indices.reversed() {
      let isTitle = result.roles[index] == .title
      let isUnnamed = result.roles[index] == .author && !isNamed
      let isOrder = isTitle && isEnd && Self.isOrderNumber(words[index].text)
      if isTitle { isEnd = isOrder }
      guard isUnnamed || isOrder || (isTitle && isWorded && Self.isPrice(words[index].text)) else {
        continue
      }
      result.roles[index] = .other
      result.probabilities[index] = 0
    }
    return result
  }

  /// Whether a text may be the number under which a publisher sells a paperback, such as `24190`: at least four digits that are
  /// not a year.
  private static func isOrderNumber(_ text: String) -> Bool {
    let isYear = text.count == 4 && (15...20).contains(Int(text.prefix(2)) ?? 0)
    return text.count >= 4 && !isYear && text.allSatisfy { ("0"..."9").contains($0) }
  }

  /// Whether a text is a price such as `8.99` or `£12,50`: digits, a point or comma and two digits, with at most one currency
  /// sign.
  private static func isPrice(_ text: String) -> Bool {
    guard let last = text.last, last.isCurrencySymbol || ("0"..."9").contains(last) else { return false }
    return text.wholeMatch(of: #/\p{Sc}?\s?[0-9]{1,4}[.,][0-9]{2}\s?\p{Sc}?/#) != nil
  }

  /// Joins words of one role on one line into runs, in reading order.
  static func parts(_ words: [SpineWord], _ result: Result) -> [SpinePart] {
    var (parts, line) = ([SpinePart](), -1)
    for (index, word) in words.enumerated() {
      let (role, probability) = (result.roles[index], result.probabilities[index])
      if let last = parts.indices.last, parts[last].role == role, line == word.line {
        parts[last].text += " " + word.text
        parts[last].probability = min(parts[last].probability, probability)
      } else {
        parts.append(SpinePart(role: role, text: word.text, probability: probability))
      }
      line = word.line
    }
    return parts
  }

  private static func text(_ role: SpinePart.Role, _ words: [SpineWord], _ roles: [SpinePart.Role]) -> String
  {
    let text = SpineReading.bare(
      zip(words, roles).filter { $0.1 == role }.map(\.0.text).joined(separator: " "))
    let end = text.lastIndex { !",;:-–—".contains($0) && !$0.isWhitespace }
    return end.map { String(text[...$0]) } ?? text
  }
}
