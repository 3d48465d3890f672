/// The probability that a record is a book on this shelf with the right title: the probability that the photo shows a shelf, times that
/// that the record is a whole book of it, well read.
struct ConfidenceModel: Sendable {
  /// Whether a record is on a shelf: fitted to books, and to text on pictures without any.
  var shelf: LogisticRegression
  /// Whether a record of a shelf is a book with the right title: fitted to photographs of shelves alone.
  var title: LogisticRegression
  /// Whether the title and the author of such a record are both right: fitted to photographs that the telling of parts has not seen.
  var fields: LogisticRegression
  /// A photo that is less probably one of a shelf has no book.
  var leastShelf: Double
  /// From this probability on, of both fields being right on a shelf, a record is sure.
  var sure: Threshold
  /// Below this one it is unlikely.
  var doubtful: Double

  /// One for each level: the fast one reads less, and promises less.
  struct Threshold: Sendable, Hashable {
    var accurate: Double
    var fast: Double

    subscript(level: RecognitionLevel) -> Double {
      switch level {
      case .accurate: accurate
      case .fast: fast
      }
    }
  }

  /// The probability that a photo shows a shelf: the mean over its records, the longer ones counting for more; 0 without a record.
  func shelf(_ records: [[RecordFeature: Double]]) -> Double {
    let weights = records.map { max(0.001, $0[.span] ?? 0) }
    let all = weights.reduce(0, +)
    guard all > 0 else { return 0 }
    return zip(records, weights).reduce(0) { $0 + shelf.probability($1.0) * $1.1 } / all
  }

  /// - Parameters:
  ///   - fields: the probability that both fields are right, 0…1.
  ///   - shelf: the probability that the photo shows a shelf, 0…1.
  func certainty(
    _ probability: Double, fields: Double, shelf: Double, level: RecognitionLevel
  ) -> Certainty {
    guard shelf >= leastShelf, probability >= doubtful else { return .unlikely }
    return fields >= sure[level] ? .sure : .doubtful
  }

  /// The records of one photo, read at a level, with their probabilities and certainties.
  func judged(_ records: [MeasuredRecord], level: RecognitionLevel) -> [MeasuredRecord] {
    let shelf = shelf(records.map(\.features))
    return records.map { record in
      var record = record
      record.finding.confidence = shelf * title.probability(record.features)
      let both = shelf * fields.probability(record.features)
      record.finding.fieldsConfidence = both
      record.finding.certainty = certainty(
        record.finding.confidence, fields: both, shelf: shelf, level: level)
      return record
    }
  }
}
