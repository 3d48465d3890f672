package import Bibliography

/// The rule that orders the books of a shelf. A closed enumeration.
package enum ShelfRule: String, Sendable, CaseIterable, Codable {
  /// The marks of the Dewey Decimal Classification.
  case dewey
  /// The marks of the Library of Congress.
  case congress
  /// Marks of a library's own system: words alphabetically, numbers by value.
  case mark
  /// The authors' last names, then the titles.
  case author
  /// The order of the list.
  case list

  /// The rule that a list seems to follow: the rule of most of the list's marks, or the order of the list if fewer than half of the books have a
  /// mark.
  package init(of holdings: [Holding]) {
    let marks = holdings.compactMap { $0.mark.flatMap { CallNumber($0) } }
    let dewey = marks.count { $0.scheme == .dewey }
    let congress = marks.count { $0.scheme == .congress }
    if marks.count * 2 < holdings.count || marks.isEmpty {
      self = .list
    } else if max(dewey, congress) * 2 < marks.count {
      self = .mark
    } else {
      self = dewey >= congress ? .dewey : .congress
    }
  }

  /// The place of each holding, from 0. Holdings that may stand in any order have equal places. Nil for a holding that the rule does not place.
  func places(_ holdings: [Holding]) -> [Int?] {
    if self == .list { return Array(holdings.indices) }
    let keys = holdings.map(key)
    let sorted = Set(keys.compactMap(\.self)).sorted()
    let places = Dictionary(uniqueKeysWithValues: zip(sorted, sorted.indices))
    return keys.map { $0.flatMap { places[$0] } }
  }

  private func key(_ holding: Holding) -> String? {
    switch self {
    case .dewey: holding.mark.flatMap { CallNumber($0, as: .dewey) }?.key
    case .congress: holding.mark.flatMap { CallNumber($0, as: .congress) }?.key
    case .mark: holding.mark.flatMap { CallNumber($0) }?.key
    case .author: Self.authorKey(holding)
    case .list: nil
    }
  }

  private static func authorKey(_ holding: Holding) -> String? {
    // Only the first of several authors counts.
    let author = AuthorNames.all(in: holding.author).first ?? ""
    let words = FoldedText(author).words.map(\.text)
    let title = FoldedText(holding.title).words.map(\.text)
    guard let last = words.last else { return title.isEmpty ? nil : title.joined(separator: " ") }
    let name = author.contains(",") ? words : [last] + words.dropLast()
    return (name + ["\u{1}"] + title).joined(separator: " ")
  }
}
