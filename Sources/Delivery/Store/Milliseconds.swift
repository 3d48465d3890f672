import FoundationEssentials

/// Times as the database keeps them: whole milliseconds since 1970.
enum Milliseconds {
  static var now: Int64 { of(Date()) }

  static func of(_ date: Date) -> Int64 {
    Int64(max(-9e15, min(9e15, (date.timeIntervalSince1970 * 1000).rounded())))
  }

  static func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
