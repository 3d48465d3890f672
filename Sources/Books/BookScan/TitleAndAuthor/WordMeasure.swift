/// The features of a single word; all 0…1 except `name`.
struct WordMeasure {
  let entry: WordList.Entry
  let word: SpineWord

  let isFunction: Bool
  let isInitial: Bool
  let isGiven: Bool
  let isSurname: Bool
  /// Whether the word may be part of a person's name: it is more often a name than a word, or it is in no list.
  let isNamelike: Bool
  /// Whether the word is in no list.
  let isUnknown: Bool
  /// Whether the word is in the list of words and in no list of names.
  let isWord: Bool
  let hasDigit: Bool
  let isPublisher: Bool
  let isJoining: Bool
  /// Whether the word is in no list, but one letter away from a common word.
  let isMisread: Bool
  let isPraise: Bool
  /// Whether the word belongs to a publisher's name, an edition or praise.
  var isImprint: Bool { isPublisher || isPraise || PartWords.edition.contains(word.core) }
  /// How common the word is in print, in four steps: 0 for a word in no list of words, 1 for one of the most common.
  var frequencyStep: Double {
    switch entry.frequency {
    case 6...: 1
    case 4...5: 0.75
    case 3: 0.5
    case 1...2: 0.25
    default: 0
    }
  }

  init(_ word: SpineWord, _ list: WordList = .open) {
    self.word = word
    let parts = word.core.split { "-'’".contains($0) }.compactMap { list[String($0)] }
    var entry = list[word.core] ?? WordList.Entry()
    entry.isGiven = entry.isGiven || parts.contains(where: \.isGiven)
    entry.isSurname = entry.isSurname || parts.contains(where: \.isSurname)
    entry.name = ([entry] + parts).compactMap(\.name).max()
    self.entry = entry
    isFunction = PartWords.function.contains(word.core)
    isInitial = word.isInitial
    let mayBeName = !isFunction && !isInitial
    isGiven = entry.isGiven && mayBeName
    isSurname = entry.isSurname && mayBeName
    let isAlphabetic = !word.core.isEmpty && word.core.allSatisfy(\.isLetter)
    let isListed = entry.isGiven || entry.isSurname
    isUnknown = !isListed && entry.frequency == 0 && isAlphabetic && !isInitial
    isNamelike =
      mayBeName
      && ((entry.name ?? -9) >= 0.5 || isListed && entry.frequency < 3
        || entry.frequency == 0 && isAlphabetic)
    isWord = !isListed && entry.frequency >= 2 && !isFunction
    hasDigit = word.core.contains(where: \.isNumber)
    isPublisher = PartWords.publishers.contains(word.core)
    isJoining = PartWords.joining.contains(word.text.lowercased())
    isMisread = isUnknown && list.isNearWord(word.core)
    isPraise = PartWords.praise.contains(word.core)
  }

  var features: [String: Double] {
    let (core, mayBeName) = (word.core, !isFunction && !isInitial)
    let name = mayBeName ? entry.name : nil
    var features = [
      "initial": isInitial, "func": isFunction, "given": isGiven, "last": isSurname,
      "nameonly": mayBeName && (entry.isGiven || entry.isSurname) && entry.frequency < 3,
      "unk": isUnknown, "z3": 1...2 ~= entry.frequency, "z4": entry.frequency == 3,
      "z5": 4...5 ~= entry.frequency,
      "z6": entry.frequency >= 6, "word": isWord, "digit": hasDigit,
      "alldigit": !core.isEmpty && core.allSatisfy(\.isNumber), "pub": isPublisher,
      "ed": PartWords.edition.contains(core), "conn": isJoining, "by": PartWords.particles.contains(core),
      "comma": word.text.last == ",", "colon": word.text.last == ":",
      "slavic": entry.frequency < 3 && PartWords.slavicEnds.contains { core.hasSuffix($0) },
      "misread": isMisread, "praise": isPraise, "short": core.count <= 2 && !isFunction && !hasDigit,
      "nsgood": (name ?? 0) >= 1,
      "nsbad": (name ?? 0) < 0,
      "nameish": isNamelike, "upper": word.letters == .capitals, "title": word.letters == .capitalised,
      "lower": word.letters == .small,
    ].mapValues { $0 ? 1.0 : 0 }
    features["ns"] = (name ?? 0) / 2
    features["len"] = Double(min(12, core.count)) / 12
    return features
  }
}
