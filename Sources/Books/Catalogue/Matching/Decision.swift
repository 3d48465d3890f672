import Bibliography

/// Decides which candidate a reading belongs to, if any. A wrong book is worse than none, so in doubt none is chosen.
enum Decision {
  /// The minimum lead over the second best score.
  static let margin = 0.06

  /// - Returns: the best candidate, and all other editions and records of the same work. Empty if none is chosen.
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

  /// Whether the reading is sufficient to identify this book.
  static func isEnough(_ agreement: Agreement, for reading: Reading) -> Bool {
    // A single different word means a different book: another volume of a series, or a book by another author.
    guard agreement.missing == 0, hasSameNumbers(agreement, reading) else { return false }
    let (words, letters) = agreement.telling
    if agreement.hasAuthor {
      return agreement.titleShare >= 0.78 && agreement.explained >= 0.75
    }
    // Without an author, the title must be long, and must explain nearly all text that was read.
    return words >= 2 && letters >= 10 && agreement.titleShare >= 0.85 && agreement.explained >= 0.85
  }

  /// Whether every number of the title was read, and whether no other number was read that could be a volume or an edition.
  private static func hasSameNumbers(_ agreement: Agreement, _ reading: Reading) -> Bool {
    let (book, read) = (agreement.numbers, reading.numbers)
    guard book.volumes.isSubset(of: read.volumes) else { return false }
    guard book.editions.isEmpty || read.editions.isSubset(of: book.editions) else { return false }
    let inTitle = SpineNumbers(FoldedText(agreement.book.title + " " + agreement.book.subtitle))
    let known = book.volumes.union(book.editions).union(inTitle.volumes)
    return read.volumes.filter { $0 <= 30 }.isSubset(of: known)
  }

  /// Whether two records are of one work: they have equal titles, the same volume, and an author in common if both name an author.
  static func isSameWork(_ one: Agreement, _ other: Agreement) -> Bool {
    guard one.title.joined == other.title.joined, one.numbers.volumes == other.numbers.volumes else {
      return false
    }
    guard !one.author.words.isEmpty, !other.author.words.isEmpty else { return true }
    let names = Set(Agreement.surnames(one.book.author))
    return !names.isDisjoint(with: Agreement.surnames(other.book.author))
  }

  /// Whether the reading is only the name of another book's author. A book about that author has this name as its title.
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
