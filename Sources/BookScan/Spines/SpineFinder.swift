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

  func spines(_ lines: [TextLine], barcodes: [BarcodeFinding]) -> [SpineFinding] {
    let shelf = Shelf(photo: photo.raster, lines: lines.filter { Self.isText($0) })
    let evidence = SpineEvidence(shelf: shelf)
    let groups = SpineGrouping(shelf: shelf).groups().filter(evidence.hasFlank)
    let spans = groups.map { Self.span($0) }.sorted()
    let long = spans.isEmpty ? 0 : spans[spans.count * 9 / 10]
    let spines = groups.filter { Self.span($0) >= leastSpan * long && evidence.isWhole($0, among: groups) }
      .compactMap { SpineReading().finding($0.lines) }.filter(isSure)
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

  private func isSure(_ spine: SpineFinding) -> Bool {
    let text = spine.title + (spine.author ?? "")
    let least = SecondScript.isCyrillic(text) ? leastCyrillicConfidence : leastConfidence
    return spine.confidence >= least && text.count { $0.isLetter || $0.isNumber } >= leastLetters
  }

  /// How much of the spine the text of a group covers, pixels along it. Lying text may run along a spine or across it.
  private static func span(_ group: SpineGroup) -> Double {
    guard let main = group.main else { return 0 }
    let extent = group.extent(ShelfLine(main).frame)
    return group.isLying ? max(extent.along.length, extent.across.length) : extent.along.length
  }

  private static func isText(_ line: TextLine) -> Bool {
    line.confidence >= 0.6 && line.text.count { $0.isLetter || $0.isNumber } >= 2
  }
}
