/// Lines and barcodes of a photo → books.
struct SpineFinder {
  let photo: UprightPhoto
  /// A record with fewer letters and digits is no book.
  var leastLetters = 4
  /// A record read less surely is no book, 0…1.
  var leastConfidence = 0.8
  /// The same for Cyrillic, of which Tesseract is less sure.
  var leastCyrillicConfidence = 0.6
  /// Text shorter than this share of the photo's long spines is a logo or a scrap.
  var leastSpan = 0.1

  /// A record read as surely as this, and of which nothing says that it is no book, is sure, 0…1.
  var leastSure = 0.95

  /// - Returns: a record for each group of lines with words, and for each barcode on none; also those that are `unlikely`.
  func spines(_ lines: [TextLine], barcodes: [BarcodeFinding]) -> [SpineFinding] {
    let shelf = Shelf(photo: photo.raster, lines: lines.filter { Self.isText($0) })
    let evidence = SpineEvidence(shelf: shelf)
    let groups = SpineGrouping(shelf: shelf).groups()
    let flanked = groups.map(evidence.hasFlank)
    let spans = zip(groups, flanked).filter(\.1).map { Self.span($0.0) }.sorted()
    let long = spans.isEmpty ? 0 : spans[spans.count * 9 / 10]
    let outline = SpineOutline(edges: shelf.edges)
    let spines = zip(groups, flanked).compactMap { group, isFlanked -> SpineFinding? in
      guard var spine = SpineReading().finding(group.lines) else { return nil }
      let isBook =
        isFlanked && Self.span(group) >= leastSpan * long && evidence.isWhole(group) && isRead(spine)
      spine.certainty = !isBook ? .unlikely : spine.confidence >= leastSure ? .sure : .doubtful
      spine.outline = outline.corners(group)
      return spine
    }
    return Self.numbered(spines, barcodes)
  }

  /// The spines with the ISBNs on or beside their text, and a book without a title for each ISBN that is beside none: a back
  /// cover.
  private static func numbered(_ spines: [SpineFinding], _ barcodes: [BarcodeFinding]) -> [SpineFinding] {
    var (spines, seen) = (spines, Set<String>())
    for index in spines.indices {
      spines[index].isbn = barcodes.first { $0.box.meets(spines[index].box) }?.isbn
      if let isbn = spines[index].isbn { seen.insert(isbn) }
    }
    return spines
      + barcodes.filter { seen.insert($0.isbn).inserted }.map {
        SpineFinding(title: "", author: nil, isbn: $0.isbn, confidence: 1, box: $0.box, angle: 0)
      }
  }

  private func isRead(_ spine: SpineFinding) -> Bool {
    let text = spine.title + (spine.author ?? "")
    let least = SecondScript.isCyrillic(text) ? leastCyrillicConfidence : leastConfidence
    return spine.confidence >= least && text.count { $0.isLetter || $0.isNumber } >= leastLetters
  }

  /// How much of the spine the text of a group covers, pixels along it.
  private static func span(_ group: SpineGroup) -> Double {
    group.main.map { group.extent(ShelfLine($0).frame).along.length } ?? 0
  }

  private static func isText(_ line: TextLine) -> Bool {
    line.confidence >= 0.6 && line.text.count { $0.isLetter || $0.isNumber } >= 2
  }
}
