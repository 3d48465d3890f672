public import FoundationEssentials

/// Parses the three forms of an HTTP date (RFC 9110, section 5.6.7), strictly and without locale or time zone data.
public enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let longDays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// Parses a date. Nil if `text` has none of the three forms.
  /// - Parameter now: the present time. In the obsolete RFC 850 form, a year of two digits is taken to be at most 50 years after it.
  public static func parse(_ text: String, now: Date) -> Date? {
    let words = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    switch words.count {
    case 6: return fixdate(words)
    case 4: return rfc850(words, now: now)
    case 5: return asctime(words)
    default: return nil
    }
  }

  /// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func fixdate(_ words: [String]) -> Date? {
    guard days.contains(where: { words[0] == $0 + "," }), words[5] == "GMT", words[3].utf8.count == 4 else {
      return nil
    }
    return date(year: number(words[3]), month: words[2], day: words[1], time: words[4])
  }

  /// Parses a date such as `Sunday, 06-Nov-94 08:49:37 GMT`.
  private static func rfc850(_ words: [String], now: Date) -> Date? {
    let parts = words[1].split(separator: "-").map(String.init)
    guard longDays.contains(where: { words[0] == $0 + "," }), words[3] == "GMT", parts.count == 3,
      parts[2].utf8.count == 2, let twoDigits = number(parts[2])
    else { return nil }
    let thisYear = 1970 + Int(now.timeIntervalSince1970 / 31_556_952)
    let candidate = thisYear / 100 * 100 + twoDigits
    return date(
      year: candidate > thisYear + 50 ? candidate - 100 : candidate, month: parts[1], day: parts[0],
      time: words[2])
  }

  /// Parses a date such as `Sun Nov  6 08:49:37 1994`.
  private static func asctime(_ words: [String]) -> Date? {
    guard days.contains(words[0]), words[4].utf8.count == 4 else { return nil }
    return date(year: number(words[4]), month: words[1], day: words[2], time: words[3])
  }

  private static func date(year: Int?, month: String, day: String, time: String) -> Date? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0)) }
    guard let year, let month = months.firstIndex(of: month), let day = number(day), clock.count == 3,
      let hour = clock[0], let minute = clock[1], let second = clock[2],
      (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    let seconds =
      daysSince1970(year: year, month: month + 1, day: day) * 86_400 + hour * 3600 + minute * 60 + second
    return Date(timeIntervalSince1970: TimeInterval(seconds))
  }

  /// The days from 1 January 1970 to the civil date, in the proleptic Gregorian calendar (Howard Hinnant, "chrono-Compatible Low-Level Date
  /// Algorithms").
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// A number of one to four ASCII digits. Nil otherwise.
  private static func number(_ text: String) -> Int? {
    guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}
