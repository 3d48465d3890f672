package import FoundationEssentials

/// Times as the database stores them: whole milliseconds since 1970.
package enum Milliseconds {
  /// The milliseconds of a date, limited to the years 1 to 9999, the only ones that can be read back.
  package static func of(_ date: Date) -> Int64 {
    let (first, last) = (Double(StoredRow.times.lowerBound), Double(StoredRow.times.upperBound))
    return Int64(max(first, min(last, (date.timeIntervalSince1970 * 1000).rounded())))
  }

  package static func date(_ milliseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }
}
