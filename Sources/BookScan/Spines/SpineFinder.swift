/// Lines and barcodes of a photo → books.
struct SpineFinder {
  let photo: UprightPhoto
  /// A record with fewer letters, or read less surely, is no book.
  var leastLetters = 4
  var leastConfidence = 0.88
  /// A spine has a long edge on one side at least, 0…255.
  var leastFlank = 7.0
  /// Text shorter than this share of the photo's long spines is a logo or a scrap.
  var leastSpan = 0.1

  func spines(_ lines: [TextLine], barcodes: [BarcodeFinding]) -> [SpineFinding] {
    let grouping = SpineGrouping(photo: photo.raster)
    let groups = grouping.groups(lines.filter { Self.isText($0) }).filter { group in
      let (left, right) = grouping.flanks(group)
      return max(left, right) >= leastFlank
    }
    let spans = groups.map { Self.span($0) }.sorted()
    let long = spans.isEmpty ? 0 : spans[spans.count * 9 / 10]
    return groups.filter { Self.span($0) >= leastSpan * long }.compactMap { SpineReading().finding($0) }
      .filter { spine in
        spine.confidence >= leastConfidence
          && (spine.title + (spine.author ?? "")).count(where: \.isLetter) >= leastLetters
      }.map { spine in
        var spine = spine
        spine.isbn = barcodes.first { $0.box.meets(spine.box) }?.isbn
        return spine
      }
  }

  /// How much of the spine the text of a group covers, pixels along it.
  private static func span(_ group: [TextLine]) -> Double {
    guard let main = group.max(by: { $0.region.length < $1.region.length }) else { return 0 }
    let frame = ShelfLine(main).frame
    let extents = group.map { frame.extent($0.region).along }
    return (extents.map(\.upperBound).max() ?? 0) - (extents.map(\.lowerBound).min() ?? 0)
  }

  private static func isText(_ line: TextLine) -> Bool {
    line.confidence >= 0.6 && line.text.count { $0.isLetter || $0.isNumber } >= 2
  }
}
