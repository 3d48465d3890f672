/// Levenshtein's distance: the number of letters to insert, delete or change to make one text from another.
package enum EditDistance {
  /// - Parameters:
  ///   - isWithin: whether to measure the distance from `word` to the nearest part of `text` instead of the whole text.
  ///   - limit: any distance beyond this is returned as `limit + 1`.
  package static func between(
    _ word: [UInt32], _ text: [UInt32], isWithin: Bool = false, limit: Int = .max - 1
  ) -> Int {
    guard isWithin || abs(word.count - text.count) <= limit else { return limit + 1 }
    guard !text.isEmpty else { return word.count }
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: text.count + 1) { row in
      for index in 0...text.count { row.initializeElement(at: index, to: isWithin ? 0 : index) }
      for (i, letter) in word.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for j in text.indices {
          let next = min(row[j + 1] + 1, row[j] + 1, diagonal + (letter == text[j] ? 0 : 1))
          diagonal = row[j + 1]
          row[j + 1] = next
        }
        if limit <= i, row.min() ?? 0 > limit { return limit + 1 }
      }
      return min(isWithin ? row.min() ?? word.count : row[text.count], limit + 1)
    }
  }
}
