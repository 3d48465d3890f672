import Glibc

/// The features, by name, of a whole labelling, which assigns a role to each word of a spine.
struct LabellingMeasure {
  let measures: PartMeasures
  private let spine: ShelfText.Spine
  private let title: [WordMeasure]
  private let author: [WordMeasure]
  private let roles: [SpinePart.Role]

  init(_ measures: PartMeasures, _ roles: [SpinePart.Role]) {
    (self.measures, self.roles) = (measures, roles)
    spine = measures.lines.spine
    let words = zip(measures.measures, roles)
    title = words.filter { $0.1 == .title }.map(\.0)
    author = words.filter { $0.1 == .author }.map(\.0)
  }

  /// Returns the features by name.
  /// - Parameter probability: the labelling's probability by the words alone, 0…1.
  func features(_ probability: Double) -> [String: Double] {
    var features = ["post": max(-6, log(max(1e-9, probability))) / 3]
    features.merge(runs) { first, _ in first }
    features.merge(ofTitle) { first, _ in first }
    features.merge(ofAuthor) { first, _ in first }
    features.merge(ofRest) { first, _ in first }
    features.merge(sizes) { first, _ in first }
    features.merge(gaps) { first, _ in first }
    return features
  }

  private func lines(_ role: SpinePart.Role) -> Set<Int> {
    Set(zip(measures.words, roles).filter { $0.1 == role }.map(\.0.line))
  }

  /// Counts how often title and author alternate, and how often a role changes within a line.
  private var runs: [String: Double] {
    let told = roles.filter { $0 != .other }
    let starts = told.indices.filter { $0 == 0 || told[$0 - 1] != told[$0] }.map { told[$0] }
    let cuts = roles.indices.dropFirst().count {
      roles[$0] != roles[$0 - 1] && measures.words[$0].line == measures.words[$0 - 1].line
    }
    let others = lines(.other)
    let areas = spine.lines.map(\.region.area)
    let rest = others.subtracting(lines(.title)).subtracting(lines(.author))
    return [
      "T2": starts.count { $0 == .title } >= 2 ? 1 : 0, "A2": starts.count { $0 == .author } >= 2 ? 1 : 0,
      "cut": Double(cuts), "mixTO": Double(lines(.title).intersection(others).count),
      "Oarea": rest.reduce(0) { $0 + areas[$1] } / max(1, areas.reduce(0, +)),
    ]
  }

  /// Counts the changes of role within a line at no sign and no gap that is wider than the usual one, and measures the gaps
  /// between the lines of the title.
  private var gaps: [String: Double] {
    let places = roles.indices.dropFirst()
    let cuts = places.filter { roles[$0] != roles[$0 - 1] }.map { measures.steps[$0] }
    let title = places.filter { roles[$0] == .title && roles[$0 - 1] == .title }
    return [
      "cutTight": Double(
        cuts.count { $0["same"] != nil && ($0["same.wide"] ?? 0) <= 0.1 && $0["same.brk"] == nil }),
      "TTgap": title.reduce(0) { $0 + (measures.steps[$1]["new.gap"] ?? 0) },
    ]
  }

  private var ofTitle: [String: Double] {
    let places = lines(.title).sorted()
    let heights = places.map { max(1, spine.lines[$0].region.height) }
    guard let last = title.last, let low = heights.min(), let high = heights.max() else { return [:] }
    let areas = spine.lines.map(\.region.area)
    let inks = places.map { measures.lines.colors[$0].ink }
    return [
      "nT1": title.count == 1 ? 1 : 0, "nT8": Self.excess(title.count), "Tspread": log(high / low),
      "Tarea": places.reduce(0) { $0 + areas[$1] } / max(1, areas.reduce(0, +)),
      "Tink": Self.widest(inks, inks), "Tname": title.allSatisfy { $0.isNamelike || $0.isInitial } ? 1 : 0,
      "Tendfunc": last.isFunction ? 1 : 0, "Tfunc": title.contains(where: \.isFunction) ? 1 : 0,
      "Tpub": Double(title.count(where: \.isPublisher)), "Tdig": Double(title.count(where: \.hasDigit)),
      "Tns": Self.name(title),
    ]
  }

  private var ofAuthor: [String: Double] {
    guard !author.isEmpty else { return ["noA": 1] }
    let inks = [SpinePart.Role.title, .author].map { lines($0).map { measures.lines.colors[$0].ink } }
    let between = inks[0].flatMap { ink in inks[1].map { ink.difference($0) } }.min() ?? 0
    return [
      "nA1": author.count == 1 ? 1 : 0, "nA23": 2...3 ~= author.count ? 1 : 0,
      "nA5": Double(max(0, author.count - 4)) / 3, "Agiven": author.contains(where: \.isGiven) ? 1 : 0,
      "Aname": Double(author.count { $0.isNamelike || $0.isInitial }) / Double(author.count),
      "Ans": Self.name(author),
      "Afunc": Double(
        author.count { $0.isFunction && !$0.isJoining && !PartWords.particles.contains($0.word.core) }),
      "TAink": between / 60,
    ]
  }

  /// Features of the words in neither field, except shelf marks, and of some words of title and author.
  private var ofRest: [String: Double] {
    let rest = roles.indices.filter { roles[$0] == .other && !measures.isMark[$0] }
    let words = rest.map { measures.measures[$0] }
    let titles = roles.indices.filter { roles[$0] == .title }
    let between = rest.count { place in
      place > titles.first ?? roles.count && place < titles.last ?? 0
    }
    let named = [SpinePart.Role.title, .author].map { role in
      roles.indices.contains { roles[$0] == role && measures.beginsName($0) }
    }
    return [
      "Ofunc": Double(words.count(where: \.isFunction)) / 3,
      "Owords": Double(words.count { $0.isWord && !$0.isImprint }) / 3,
      "Opair": rest.contains { measures.beginsName($0) && !measures.measures[$0].isImprint } ? 1 : 0,
      "Tpair": named[0] ? 1 : 0, "Apair": named[1] ? 1 : 0, "Tonlypair": named[0] && !named[1] ? 1 : 0,
      "Apub": Double(author.count(where: \.isPublisher)), "Apraise": Double(author.count(where: \.isPraise)),
      "Amis": Double(author.count(where: \.isMisread)), "Aword": Double(author.count(where: \.isWord)) / 3,
      "Omid": Double(between) / 2, "Fcut": Double(cutBehindFunction),
    ]
  }

  /// The number of parts that end with an article, a preposition or the like.
  private var cutBehindFunction: Int {
    zip(roles.indices, zip(roles, roles.dropFirst())).count { index, pair in
      let measure = measures.measures[index]
      return pair.0 != pair.1 && measure.isFunction && !measure.isJoining
        && !PartWords.particles.contains(measure.word.core)
    }
  }

  /// Measures by how much the author's text, or text in neither field, is larger than the title.
  private var sizes: [String: Double] {
    let largest = roles.indices.filter { measures.words[$0].line == measures.lines.largest }
    let rest = lines(.other).subtracting(lines(.title)).subtracting(lines(.author))
    let title = tallest(lines(.title))
    return [
      "Obig": Double(largest.count { roles[$0] == .other }) / Double(max(1, largest.count)),
      "Otall": max(0, tallest(rest) - title), "Atall": max(0, tallest(lines(.author)) - title),
    ]
  }

  private func tallest(_ places: Set<Int>) -> Double {
    places.map(measures.lines.relativeHeight).max() ?? LineMeasure.least
  }

  /// Returns half the mean name score of the words.
  static func name(_ words: [WordMeasure]) -> Double {
    words.reduce(0) { $0 + ($1.isFunction || $1.isInitial ? 0 : $1.entry.name ?? 0) }
      / Double(max(1, words.count)) / 2
  }

  /// Returns how common the words are in print, 0…1: the mean of `frequencyStep` over the words that are neither function words
  /// nor initials and have no digit; 0 without such a word.
  static func frequency(_ words: [WordMeasure]) -> Double {
    let telling = words.filter { !$0.isFunction && !$0.isInitial && !$0.hasDigit }
    return telling.reduce(0) { $0 + $1.frequencyStep } / Double(max(1, telling.count))
  }

  /// Returns a fourth of the number of words beyond seven.
  static func excess(_ count: Int) -> Double { Double(max(0, count - 7)) / 4 }

  /// Returns ΔE*ab of the two colours that differ most, divided by 60.
  private static func widest(_ first: [GroundColor], _ second: [GroundColor]) -> Double {
    (first.flatMap { color in second.map { color.difference($0) } }.max() ?? 0) / 60
  }
}
