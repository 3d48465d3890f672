/// Compares names as a person sorts them: `shelf 2` comes before `shelf 10`, and case is ignored.
enum NaturalOrder {
  static func precedes(_ one: String, _ other: String) -> Bool {
    let (left, right) = (parts(one), parts(other))
    for (a, b) in zip(left, right) where a != b { return a < b }
    // Names that differ only in case or leading zeros still need a definite order.
    return left.count != right.count ? left.count < right.count : one < other
  }

  private enum Part: Comparable {
    /// A number, as its digits without leading zeros.
    case number(Substring)
    case text(String)

    static func < (one: Part, other: Part) -> Bool {
      switch (one, other) {
      case (.number(let a), .number(let b)): a.count != b.count ? a.count < b.count : a < b
      case (.text(let a), .text(let b)): a < b
      case (.number, .text): true
      case (.text, .number): false
      }
    }
  }

  private static func parts(_ name: String) -> [Part] {
    var parts: [Part] = []
    var rest = name[...]
    while let first = rest.first {
      let isNumber = isDigit(first)
      let run = rest.prefix { isDigit($0) == isNumber }
      parts.append(isNumber ? .number(run.drop { $0 == "0" }) : .text(run.lowercased()))
      rest = rest[run.endIndex...]
    }
    return parts
  }

  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isWholeNumber
  }
}
