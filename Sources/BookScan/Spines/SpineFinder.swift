/// Lines and barcodes of a photo → books.
struct SpineFinder {
  let photo: UprightPhoto
  /// A record with fewer letters, or read less surely, is no book.
  var leastLetters = 4
  var leastConfidence = 0.7

  func spines(_ lines: [TextLine], barcodes: [BarcodeFinding]) -> [SpineFinding] {
    let groups = SpineGrouping(photo: photo.raster).groups(lines.filter { Self.isText($0) })
    return groups.compactMap { SpineReading().finding($0) }.filter { spine in
      spine.confidence >= leastConfidence
        && (spine.title + (spine.author ?? "")).count(where: \.isLetter) >= leastLetters
    }.map { spine in
      var spine = spine
      spine.isbn = barcodes.first { $0.box.meets(spine.box) }?.isbn
      return spine
    }
  }

  private static func isText(_ line: TextLine) -> Bool {
    line.confidence >= 0.6 && line.text.count { $0.isLetter || $0.isNumber } >= 2
  }
}
