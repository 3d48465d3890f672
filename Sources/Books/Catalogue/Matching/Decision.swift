import Bibliography

/// Which of the candidates a reading is of, if it is one of them. A wrong book is worse than none, so what is in doubt is none.
enum Decision {
  /// What the second best must be behind.
  static let margin = 0.06

  /// - Returns: the best, and all that are the same work in other editions and words.
  static func choose(_ agreements: [Agreement], for reading: Reading) -> [Agreement] {
    let order = agreements.sorted { $0.score > $1.score }
    guard let best = order.first(where: { isEnough($0, for: reading) }) else { return [] }
    let rivals = order.filter {
      !isSameWork($0, best) && $0.titleShare >= 0.6 && hasSameNumbers($0, reading)
    }
    if let second = rivals.first, best.score - second.score < margin { return [] }
    guard !isAuthorAlone(best, agreements, reading) else { return [] }
    return order.filter {
      isSameWork($0, best) && best.score - $0.score < margin && isEnough($0, for: reading)
    }
  }

  /// Whether a reading says enough to be this book.
  static func isEnough(_ agreement: Agreement, for reading: Reading) -> Bool {
    // One word that is another makes another book: the next of a series, or one by somebody else.
    guard agreement.missing == 0, hasSameNumbers(agreement, reading) else { return false }
    let (words, letters) = agreement.telling
    if agreement.hasAuthor {
      return agreement.titleShare >= 0.78 && agreement.explained >= 0.75
    }
    // A title alone must be long, and nothing else may have been read that it does not explain.
    return words >= 2 && letters >= 10 && agreement.titleShare >= 0.85 && agreement.explained >= 0.85
  }

  /// Every number of the title was read, and no other that could be a volume's or an edition's.
  private static func hasSameNumbers(_ agreement: Agreement, _ reading: Reading) -> Bool {
    let (book, read) = (agreement.numbers, reading.numbers)
    guard book.volumes.isSubset(of: read.volumes) else { return false }
    guard book.editions.isEmpty || read.editions.isSubset(of: book.editions) else { return false }
    let inTitle = SpineNumbers(FoldedText(agreement.book.title + " " + agreement.book.subtitle))
    let known = book.volumes.union(book.editions).union(inTitle.volumes)
    return read.volumes.filter { $0 <= 30 }.isSubset(of: known)
  }

  /// Two records of one work: titles alike, the same volume, and an author in common as far as both name one.
  static func isSameWork(_ one: Agreement, _ other: Agreement) -> Bool {
    guard one.title.joined == other.title.joined, one.numbers.volumes == other.numbers.volumes else {
      return false
    }
    guard !one.author.words.isEmpty, !other.author.words.isEmpty else { return true }
    let names = Set(Agreement.surnames(one.book.author))
    return !names.isDisjoint(with: Agreement.surnames(other.book.author))
  }

  /// Whether all that was read is the name of another book's author, which a book about that author has as its title.
  private static func isAuthorAlone(
    _ best: Agreement, _ agreements: [Agreement], _ reading: Reading
  ) -> Bool {
    guard !best.hasAuthor else { return false }
    return agreements.contains { other in
      !isSameWork(other, best) && !other.author.words.isEmpty
        && WordCover(other.author).share(of: reading.whole) >= 0.85
    }
  }
}
