public import FoundationEssentials

/// Parses the `Retry-After` header (RFC 9110, section 10.2.3): seconds or an HTTP date.
public enum RetryAfter {
  /// Returns the pause in whole seconds from `now`, rounded up. Negative for a date in the past; nil if the value has neither form. A number too
  /// large for `Int` becomes `Int.max`. A fraction, which some servers send, is accepted, although the standard does not allow it.
  public static func seconds(_ value: String, now: Date) -> Int? {
    let parts = value.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }) {
      guard let whole = parts.first.map({ Int($0) ?? .max }) else { return nil }
      let isMore = parts.count == 2 && parts[1].utf8.contains { $0 != UInt8(ascii: "0") }
      return isMore && whole < .max ? whole + 1 : whole
    }
    guard let date = HTTPDate.parse(value, now: now) else { return nil }
    return Int((date.timeIntervalSince1970 - now.timeIntervalSince1970).rounded(.up))
  }
}
