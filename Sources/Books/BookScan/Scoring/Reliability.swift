/// Compares the predicted probabilities of records with the share of right records (Murphy and Winkler, "Reliability of
/// subjective probability forecasts", JRSS C 26(1), 1977).
public struct Reliability: Sendable {
  /// One judged record.
  public struct Sample: Sendable, Hashable {
    /// The predicted probability, 0…1.
    public var probability: Double
    /// The certainty of the record.
    public var certainty: Certainty
    /// Whether the record was paired with a spine of the truth.
    public var isRight: Bool

    /// Creates a sample; nothing is checked.
    public init(probability: Double, certainty: Certainty, isRight: Bool) {
      self.probability = probability
      self.certainty = certainty
      self.isRight = isRight
    }
  }

  /// The records whose probability lies in one tenth of 0…1.
  public struct Tenth: Sendable, Hashable {
    /// The lower end of the range, 0…0.9. The upper end belongs to the next tenth, except that 1 belongs to the last one.
    public var low: Double
    /// The number of records.
    public var count: Int
    /// The number of right records.
    public var right: Int
    /// The mean predicted probability, 0…1.
    public var said: Double
    /// The share of right records, 0…1.
    public var share: Double { Double(right) / Double(max(count, 1)) }
  }

  /// The records.
  public var samples: [Sample] = []

  /// Creates a reliability without records.
  public init() {}

  /// The tenths that hold a record, from the lowest.
  public var tenths: [Tenth] {
    (0..<10).compactMap { tenth in
      let members = samples.filter { min(9, max(0, Int($0.probability * 10))) == tenth }
      guard !members.isEmpty else { return nil }
      return Tenth(
        low: Double(tenth) / 10, count: members.count, right: members.count { $0.isRight },
        said: members.reduce(0) { $0 + $1.probability } / Double(members.count))
    }
  }

  /// The Brier score: the mean square of the predicted probability minus the outcome (1 for a right record, 0 for a wrong one),
  /// from 0 (best) to 1. Nil without a record. (Brier, "Verification of forecasts expressed in terms of probability", Monthly
  /// Weather Review 78(1), 1950.)
  public var brier: Double? {
    guard !samples.isEmpty else { return nil }
    let squares = samples.map {
      ($0.probability - ($0.isRight ? 1 : 0)) * ($0.probability - ($0.isRight ? 1 : 0))
    }
    return squares.reduce(0, +) / Double(samples.count)
  }

  /// Returns the number of records with this certainty, and how many of them are right.
  public func tally(_ certainty: Certainty) -> (count: Int, right: Int) {
    let members = samples.filter { $0.certainty == certainty }
    return (members.count, members.count { $0.isRight })
  }

  /// Adds the records of a photo. Adds nothing if the photo's truth is incomplete: a record without a spine may then be right.
  public mutating func add(_ score: ShelfScore, _ books: [SpineFinding]) {
    guard score.isComplete else { return }
    for (book, spine) in zip(books, score.spineOfBook) {
      samples.append(
        Sample(probability: book.confidence, certainty: book.certainty, isRight: spine != nil))
    }
  }
}
