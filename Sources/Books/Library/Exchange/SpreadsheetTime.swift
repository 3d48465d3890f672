/// Parses times that a spreadsheet has saved from an export, taken as UTC: `2026-11-21 16:15:29`, `2026/11/21`, `21.11.2026 16:15`, `11/21/2026
/// 4:15 PM`.
enum SpreadsheetTime {
  /// Milliseconds since 1970. Nil if `text` is not a time, or if its day and month cannot be told apart.
  static func milliseconds(_ text: String) -> Int64? {
    guard text.utf8.count <= 40 else { return nil }
    let parts = text.uppercased().split {
      $0 == " " || $0 == "T" || $0 == "\u{202F}" || $0 == "\u{A0}" || $0 == ","
    }
    guard let first = parts.first, let day = day(first), let time = time(parts.dropFirst()) else {
      return nil
    }
    return Timestamp.milliseconds("\(day)T\(time)Z")
  }

  /// The date in `text`, as ISO 8601.
  private static func day(_ text: Substring) -> String? {
    guard let divider = text.first(where: { "-/.".contains($0) }) else { return nil }
    let parts = text.split(separator: divider, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.allSatisfy(\.isASCII) ? Int($0) : nil }
    guard parts.count == 3, numbers.count == 3 else { return nil }
    if parts[0].count == 4 { return iso(numbers[0], numbers[1], numbers[2]) }
    guard parts[2].count == 4 else { return nil }
    if divider == "." || numbers[0] > 12 || numbers[0] == numbers[1] {
      return iso(numbers[2], numbers[1], numbers[0])
    }
    return numbers[1] > 12 ? iso(numbers[2], numbers[0], numbers[1]) : nil
  }

  private static func iso(_ year: Int, _ month: Int, _ day: Int) -> String? {
    guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
  }

  /// - Parameter parts: the parts of a time of day, such as `4:15:29` and `PM`.
  private static func time(_ parts: ArraySlice<Substring>) -> String? {
    guard let text = parts.first else { return "00:00:00" }
    let isZone = text.hasSuffix("Z")
    let halves = (isZone ? text.dropLast() : text).split(separator: ".", omittingEmptySubsequences: false)
    let clock = halves[0].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard (2...3).contains(clock.count), clock.allSatisfy({ (0...59).contains($0) }), halves.count <= 2 else {
      return nil
    }
    var hour = clock[0]
    switch parts.dropFirst().first {
    case nil: break
    case "AM"?: hour %= 12
    case "PM"?: hour = hour % 12 + 12
    case .some: return nil
    }
    guard hour < 24, parts.count <= 2 else { return nil }
    let fraction = halves.count == 2 ? String((halves[1] + "000").prefix(3)) : "000"
    return
      "\(digits(hour, 2)):\(digits(clock[1], 2)):\(digits(clock.count == 3 ? clock[2] : 0, 2)).\(fraction)"
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
