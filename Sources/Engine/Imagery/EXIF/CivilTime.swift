import Glibc

/// A local date and time with its offset from UTC, as EXIF stores the time of a photo.
public struct CivilTime: Hashable, Sendable, Codable {
  /// The year, such as 2026.
  public var year: Int
  /// The month, 1...12.
  public var month: Int
  /// The day, 1...31.
  public var day: Int
  /// The hour, 0...23.
  public var hour: Int
  /// The minute, 0...59.
  public var minute: Int
  /// The second, 0...60, because of leap seconds.
  public var second: Int
  /// The millisecond, 0...999.
  public var millisecond: Int
  /// The offset of the clock from UTC, in minutes; negative if it is behind UTC.
  public var minutesAheadOfUTC: Int

  /// Creates the time that is `unixNanoseconds` after 1970 began in UTC, on a clock with the given offset from UTC.
  public init(unixNanoseconds: Int64, minutesAheadOfUTC: Int) {
    let (seconds, rest) = Self.divided(unixNanoseconds)
    var whole = time_t(seconds + Int64(minutesAheadOfUTC) * 60)
    var parts = tm()
    gmtime_r(&whole, &parts)
    self.init(parts, millisecond: Int(rest / 1_000_000), minutesAheadOfUTC: minutesAheadOfUTC)
  }

  /// Creates the time that is `unixNanoseconds` after 1970 began in UTC, on this machine's clock (`TZ`, /etc/localtime).
  public init(unixNanoseconds: Int64) {
    let (seconds, rest) = Self.divided(unixNanoseconds)
    var whole = time_t(seconds)
    var parts = tm()
    tzset()
    localtime_r(&whole, &parts)
    self.init(parts, millisecond: Int(rest / 1_000_000), minutesAheadOfUTC: parts.tm_gmtoff / 60)
  }

  /// Creates the time that EXIF stores as text; nil if its date or its offset is missing or no such text.
  /// - Parameters:
  ///   - text: `2026:11:23 07:05:09`.
  ///   - offset: from UTC, `+01:00`.
  ///   - fraction: the decimal places of the second, such as `042`; nil for none.
  init?(exif text: String, offset: String, fraction: String?) {
    let (bytes, zone) = (Array(text.utf8), Array(offset.utf8))
    func number(_ bytes: [UInt8], _ range: Range<Int>, in values: ClosedRange<Int>) -> Int? {
      guard bytes[range].allSatisfy({ (48...57).contains($0) }) else { return nil }
      let value = bytes[range].reduce(0) { $0 * 10 + Int($1) - 48 }
      return values.contains(value) ? value : nil
    }
    guard bytes.count == 19, zone.count == 6, zone[0] == 43 || zone[0] == 45,
      let year = number(bytes, 0..<4, in: 0...9999), let month = number(bytes, 5..<7, in: 1...12),
      let day = number(bytes, 8..<10, in: 1...31), let hour = number(bytes, 11..<13, in: 0...23),
      let minute = number(bytes, 14..<16, in: 0...59), let second = number(bytes, 17..<19, in: 0...60),
      let hours = number(zone, 1..<3, in: 0...23), let minutes = number(zone, 4..<6, in: 0...59)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    let places = Array(((fraction ?? "") + "000").utf8.prefix(3))
    millisecond = number(places, 0..<3, in: 0...999) ?? 0
    minutesAheadOfUTC = (zone[0] == 45 ? -1 : 1) * (hours * 60 + minutes)
  }

  private init(_ parts: tm, millisecond: Int, minutesAheadOfUTC: Int) {
    year = Int(parts.tm_year) + 1900
    month = Int(parts.tm_mon) + 1
    day = Int(parts.tm_mday)
    hour = Int(parts.tm_hour)
    minute = Int(parts.tm_min)
    second = Int(parts.tm_sec)
    self.millisecond = millisecond
    self.minutesAheadOfUTC = minutesAheadOfUTC
  }

  /// Whole seconds, rounded down, and the remaining nanoseconds, never negative.
  private static func divided(_ nanoseconds: Int64) -> (seconds: Int64, rest: Int64) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0 ? (seconds - 1, rest + 1_000_000_000) : (seconds, rest)
  }

  /// The EXIF form: `2026:11:23 07:05:09`.
  var exifText: String {
    "\(Self.digits(year, 4)):\(Self.digits(month)):\(Self.digits(day)) "
      + "\(Self.digits(hour)):\(Self.digits(minute)):\(Self.digits(second))"
  }

  /// The form of ISO 8601: `2026-11-23T07:05:09.042+01:00`.
  package var internetText: String {
    "\(Self.digits(year, 4))-\(Self.digits(month))-\(Self.digits(day))"
      + "T\(Self.digits(hour)):\(Self.digits(minute)):\(Self.digits(second)).\(exifFraction)\(exifOffset)"
  }

  /// The EXIF form of the offset: `+01:00`.
  var exifOffset: String {
    let minutes = abs(minutesAheadOfUTC)
    return "\(minutesAheadOfUTC < 0 ? "-" : "+")\(Self.digits(minutes / 60)):\(Self.digits(minutes % 60))"
  }

  /// The EXIF form of the milliseconds: `042`.
  var exifFraction: String { Self.digits(millisecond, 3) }

  private static func digits(_ number: Int, _ count: Int = 2) -> String {
    let text = "\(max(0, number))"
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text.suffix(count)
  }
}
