public import FoundationEssentials

/// The `Retry-After` header (RFC 9110, section 10.2.3): seconds or an HTTP date.
public enum RetryAfter {
  /// What the header itself means, in seconds from `now`; negative for a date in the past, `nil` when it is neither
  /// form. A number too large for the clock saturates.
  public static func seconds(_ value: String, now: Date) -> Int? {
    if !value.isEmpty, value.utf8.allSatisfy({ (48...57).contains($0) }) { return Int(value) ?? .max }
    guard let date = HTTPDate.parse(value, now: now) else { return nil }
    return Int((date.timeIntervalSince1970 - now.timeIntervalSince1970).rounded())
  }
}
