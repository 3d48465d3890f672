/// Whether records are right as often as their probabilities say (Murphy and Winkler, "Reliability of subjective probability
/// forecasts", JRSS C 26(1), 1977).
public struct Reliability: Sendable {
  /// One record.
  public struct Sample: Sendable, Hashable {
    /// What was said, 0…1.
    public var probability: Double
    /// What it was taken for.
    public var certainty: Certainty
    /// It pairs off with a spine.
    public var isRight: Bool

    /// A record; nothing is checked.
    public init(probability: Double, certainty: Certainty, isRight: Bool) {
      self.probability = probability
      self.certainty = certainty
      self.isRight = isRight
    }
  }

  /// The records whose probability lies in one tenth of 0…1.
  public struct Tenth: Sendable, Hashable {
    /// Its lower end, 0…0.9. The upper end belongs to the next one, save 1.
    public var low: Double
    /// How many records.
    public var count: Int
    /// How many of them are right.
    public var right: Int
    /// What was said of them on average, 0…1.
    public var said: Double
    /// The share that is right, 0…1.
    public var share: Double { Double(right) / Double(max(count, 1)) }
  }

  /// The records.
  public var samples: [Sample] = []

  /// None yet.
  public init() {}

  /// Those of ten that hold a record, from the lowest.
  public var tenths: [Tenth] {
    (0..<10).compactMap { tenth in
      let members = samples.filter { min(9, max(0, Int($0.probability * 10))) == tenth }
      guard !members.isEmpty else { return nil }
      return Tenth(
        low: Double(tenth) / 10, count: members.count, right: members.count { $0.isRight },
        said: members.reduce(0) { $0 + $1.probability } / Double(members.count))
    }
  }

  /// Mean square of what was said less what came, 0 (best) … 1 (Brier, "Verification of forecasts expressed in terms of probability",
  /// Monthly Weather Review 78(1), 1950); nil without a record.
  public var brier: Double? {
    guard !samples.isEmpty else { return nil }
    let squares = samples.map {
      ($0.probability - ($0.isRight ? 1 : 0)) * ($0.probability - ($0.isRight ? 1 : 0))
    }
    return squares.reduce(0, +) / Double(samples.count)
  }

  /// How many records of a certainty there are, and how many of them are right.
  public func tally(_ certainty: Certainty) -> (count: Int, right: Int) {
    let members = samples.filter { $0.certainty == certainty }
    return (members.count, members.count { $0.isRight })
  }

  /// Adds the records of a photo. Without the whole truth of it nobody knows which of the others are wrong: nothing is added then.
  public mutating func add(_ score: ShelfScore, _ books: [SpineFinding]) {
    guard score.isComplete else { return }
    for (book, spine) in zip(books, score.spineOfBook) {
      samples.append(
        Sample(probability: book.confidence, certainty: book.certainty, isRight: spine != nil))
    }
  }
}
