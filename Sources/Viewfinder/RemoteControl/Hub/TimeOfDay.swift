import Glibc
import System

enum TimeOfDay {
  /// Seconds since 1970.
  static func now() -> Double { KernelClock.seconds(CLOCK_REALTIME) }

  /// The local time for a file name: `2026-11-25T07-10-33.250`.
  static func stamp() -> String {
    let now = now()
    var seconds = time_t(now)
    var parts = tm()
    localtime_r(&seconds, &parts)
    func digits(_ number: CInt, _ count: Int = 2) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    let milliseconds = CInt((now - now.rounded(.down)) * 1000)
    return "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))"
      + "T\(digits(parts.tm_hour))-\(digits(parts.tm_min))-\(digits(parts.tm_sec)).\(digits(milliseconds, 3))"
  }
}
