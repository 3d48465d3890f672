/// The minimum level of each category, packed into one word: four bits per category.
package struct LogLevels: Hashable, Sendable {
  private(set) var word: UInt64

  /// Creates levels with the same level for all categories.
  package init(_ level: LogLevel) {
    word = 0
    for category in LogCategory.allCases { self[category] = level }
  }

  package subscript(category: LogCategory) -> LogLevel {
    get { LogLevel(rawValue: UInt8(truncatingIfNeeded: word >> Self.shift(category)) & 15) ?? .off }
    set {
      word &= ~(15 << Self.shift(category))
      word |= UInt64(newValue.rawValue) << Self.shift(category)
    }
  }

  /// The levels that include every line that these levels or `other` include.
  func union(_ other: LogLevels) -> LogLevels {
    var all = self
    for category in LogCategory.allCases { all[category] = min(self[category], other[category]) }
    return all
  }

  private static func shift(_ category: LogCategory) -> UInt64 { UInt64(category.rawValue) * 4 }
}
