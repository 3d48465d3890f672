import FoundationEssentials

/// Times in files: ISO 8601 in UTC, with milliseconds.
enum Timestamp {
  /// The years 1 to 9999, in milliseconds since 1970.
  private static let range = Int64(-62_135_596_800_000)...253_402_300_799_999

  static func text(_ milliseconds: Int64) -> String {
    let time = min(max(milliseconds, range.lowerBound), range.upperBound)
    let rest = (time % 1000 + 1000) % 1000
    let seconds = Date(timeIntervalSince1970: Double((time - rest) / 1000)).formatted(.iso8601)
    return "\(seconds.dropLast()).\(String(1000 + rest).dropFirst())Z"
  }

  /// Milliseconds since 1970. Nil if `text` is not a time in this form. The milliseconds in `text` may be missing.
  static func milliseconds(_ text: String) -> Int64? {
    guard text.utf8.count <= 24, text.hasSuffix("Z") else { return nil }
    let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let date = try? Date("\(parts[0])Z", strategy: .iso8601) else { return nil }
    let rest = parts.count == 2 ? String(parts[1]) : "000"
    guard rest.utf8.count == 3, let fraction = Int64(rest) else { return nil }
    let time = Int64(date.timeIntervalSince1970) * 1000 + fraction
    // Refuse a text that the parser accepts but that is no valid time, such as the 31st of June.
    return Self.text(time) == "\(parts[0]).\(rest)Z" ? time : nil
  }
}
