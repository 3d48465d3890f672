/// Computes the probability that a record is a book on this shelf with the right title. It is the product of two probabilities:
/// that the photo shows a shelf, and that the record is one whole book on it whose title was read right.
struct ConfidenceModel: Sendable {
  /// Predicts whether a record is on a shelf. Fitted to books, and to texts in pictures without books.
  var shelf: LogisticRegression
  /// Predicts whether a record on a shelf is a book with the right title. Fitted to photographs of shelves only.
  var title: LogisticRegression
  /// Predicts whether the title and the author of a record on a shelf are both right. Fitted to photographs that were not used to
  /// fit the model of title and author.
  var fields: LogisticRegression
  /// The least probability that the photo shows a shelf. Below it, all records of the photo are unlikely.
  var leastShelf: Double
  /// The least probability, for a sure record, that the photo shows a shelf and that title and author are both right.
  var sure: Threshold
  /// The least probability that a doubtful record is a book with the right title. Below it, a record is unlikely.
  var doubtful: Double

  /// A threshold for each level. The fast level reads less, and its records are less reliable.
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

  /// Returns the probability that a photo shows a shelf: the mean over the photo's records, weighted by their lengths; 0 without
  /// a record.
  func shelf(_ records: [[RecordFeature: Double]]) -> Double {
    let weights = records.map { max(0.001, $0[.span] ?? 0) }
    let all = weights.reduce(0, +)
    guard all > 0 else { return 0 }
    return zip(records, weights).reduce(0) { $0 + shelf.probability($1.0) * $1.1 } / all
  }

  /// Returns the verdict on a record.
  /// - Parameters:
  ///   - fields: the probability that the photo shows a shelf and that title and author are both right, 0…1.
  ///   - shelf: the probability that the photo shows a shelf, 0…1.
  func certainty(
    _ probability: Double, fields: Double, shelf: Double, level: RecognitionLevel
  ) -> Certainty {
    guard shelf >= leastShelf, probability >= doubtful else { return .unlikely }
    return fields >= sure[level] ? .sure : .doubtful
  }

  /// Returns the records of one photo with their probabilities and certainties. `level` is the level at which the photo was read.
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
