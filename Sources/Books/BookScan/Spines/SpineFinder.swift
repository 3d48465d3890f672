/// Forms books from the lines and barcodes of a photo.
struct SpineFinder {
  let photo: UprightPhoto
  /// The level at which the lines were read.
  var level = RecognitionLevel.accurate
  var model = ConfidenceModel.fitted
  /// The least number of letters and digits of a book. A record with fewer is `unlikely`, whatever its probability.
  var leastLetters = 4

  /// Returns the records of a photo.
  /// - Returns: a record for each group of lines with words, and a record for each barcode that is on none of these groups.
  ///   Includes records that are `unlikely`.
  func spines(_ lines: [TextLine], barcodes: [BarcodeFinding]) -> [SpineFinding] {
    Self.numbered(judged(measured(lines)).map(\.finding), barcodes)
  }

  /// Returns the records of one photo, judged together.
  func judged(_ records: [MeasuredRecord]) -> [MeasuredRecord] {
    model.judged(records, level: level).map { record in
      var record = record
      let text = record.finding.title + (record.finding.author ?? "")
      if text.count(where: { $0.isLetter || $0.isNumber }) < leastLetters {
        record.finding.certainty = .unlikely
      }
      return record
    }
  }

  /// Returns the records of the lines, measured but not judged.
  func measured(_ lines: [TextLine]) -> [MeasuredRecord] {
    let shelf = Shelf(photo: photo.raster, lines: lines.filter { Self.isText($0) })
    return RecordMeasures(shelf, SpineGrouping(shelf: shelf).groups()).records()
  }

  /// Gives each spine the ISBN on or beside its text. A spine with an ISBN that was judged `unlikely` becomes `doubtful`. An ISBN
  /// beside no spine, as on a back cover, becomes a book without a title.
  private static func numbered(_ spines: [SpineFinding], _ barcodes: [BarcodeFinding]) -> [SpineFinding] {
    var (spines, seen) = (spines, Set<String>())
    for index in spines.indices {
      spines[index].isbn = barcodes.first { $0.box.meets(spines[index].box) }?.isbn
      guard let isbn = spines[index].isbn else { continue }
      seen.insert(isbn)
      if spines[index].certainty == .unlikely { spines[index].certainty = .doubtful }
    }
    return spines
      + barcodes.filter { seen.insert($0.isbn).inserted }.map {
        SpineFinding(title: "", author: nil, isbn: $0.isbn, confidence: 1, box: $0.box, angle: 0)
      }
  }

  private static func isText(_ line: TextLine) -> Bool {
    line.confidence >= 0.6 && line.text.count { $0.isLetter || $0.isNumber } >= 2
  }
}
