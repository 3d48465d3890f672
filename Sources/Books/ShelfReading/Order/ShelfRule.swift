package import Bibliography

/// By what the books of a shelf are in order. A closed enumeration.
package enum ShelfRule: String, Sendable, CaseIterable, Codable {
  /// The marks of the Dewey Decimal Classification.
  case dewey
  /// The marks of the Library of Congress.
  case congress
  /// Marks of a library's own making, words by the alphabet and numbers by their value.
  case mark
  /// The authors' last names, then the titles.
  case author
  /// As the list has them.
  case list

  /// The one that a list seems to follow: that of most of its marks, and its own where fewer than half of the books have a mark.
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

  /// The place of each holding, from 0. Those that may stand in any order among themselves have the same; nil for what the rule does not place.
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
    // Of several, the first.
    let author = String(holding.author.prefix { $0 != ";" })
    let words = FoldedText(author).words.map(\.text)
    let title = FoldedText(holding.title).words.map(\.text)
    guard let last = words.last else { return title.isEmpty ? nil : title.joined(separator: " ") }
    let name = author.contains(",") ? words : [last] + words.dropLast()
    return (name + ["\u{1}"] + title).joined(separator: " ")
  }
}
