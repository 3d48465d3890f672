import Imagery

/// Chooses the photo's size by the words that are read.
struct WordJudge {
  private let trials: PhotoTrials
  private let goal: LegibilityGoal
  private let reader: LegibilityReader

  init(_ trials: PhotoTrials, _ goal: LegibilityGoal, _ reader: LegibilityReader) {
    (self.trials, self.goal, self.reader) = (trials, goal, reader)
  }

  private struct Attempt {
    var photo: Photo
    var trial: Legibility.Trial
  }

  /// - Throws: `ReaderFailure`, `ImageError`.
  func decide() throws -> Legibility {
    let full = try trials.full()
    return try decide(LegibleWords(try read(full.bytes)), full.size)
  }

  /// Chooses a size.
  /// - Parameters:
  ///   - words: the words read at full size.
  ///   - full: the full size, pixels.
  /// - Throws: `ReaderFailure`, `ImageError`.
  func decide(_ words: LegibleWords, _ full: PixelSize) throws -> Legibility {
    guard !words.words.isEmpty else { return try withoutWords() }
    var attempts: [Int: Attempt] = [:]
    let search = CheapestSearch(count: trials.steps.count)
    let cheapest = try search.cheapest(from: guess(words, full)) { index in
      let attempt = try attempt(index, words, full)
      attempts[index] = attempt
      return keepsEnough(attempt.trial)
    }
    let sorted = attempts.sorted { $0.key < $1.key }.map(\.value)
    // If no size keeps enough, choose the one that keeps most; among equals, the cheapest.
    let most = sorted.max { ($0.trial.kept, -$0.trial.tokens) < ($1.trial.kept, -$1.trial.tokens) }
    guard let best = cheapest.flatMap({ attempts[$0] }) ?? most else { return try withoutWords() }
    return Legibility(
      judge: .recognition, judgeName: reader.name, words: words.words.count, trials: sorted.map(\.trial),
      chosen: best.trial, isKept: cheapest != nil, readings: attempts.count + 1, photo: best.photo, notes: [])
  }

  private func keepsEnough(_ trial: Legibility.Trial) -> Bool { trial.share >= goal.share - 1e-9 }

  private func attempt(_ index: Int, _ words: LegibleWords, _ full: PixelSize) throws -> Attempt {
    let photo = try trials.photo(trials.steps[index])
    let (bytes, size) = try trials.seen(photo)
    let kept = words.kept(in: try read(bytes), of: size, full: full)
    return Attempt(photo: photo, trial: trials.trial(photo, seen: size, kept: kept, of: words.words.count))
  }

  func read(_ picture: [UInt8]) throws(ReaderFailure) -> [TextLine] {
    do { return try reader.read(picture) } catch { throw ReaderFailure(error: error) }
  }

  /// The height below which lines of text are seldom read, pixels.
  private static let leastHeight = 13.0

  /// Returns the index of the size at which the search begins.
  private func guess(_ words: LegibleWords, _ full: PixelSize) -> Int {
    let heights = words.words.map(\.region.height).sorted()
    let height = heights[min(heights.count - 1, Int(Double(heights.count) * (1 - goal.share)))]
    let isLegible = { (step: TokenStep) in
      height * Double(step.seen.longSide) / Double(full.longSide) >= Self.leastHeight
    }
    return trials.steps.firstIndex(where: isLegible) ?? trials.steps.count - 1
  }

  private func withoutWords() throws -> Legibility {
    let photo = try trials.photo(trials.steps[trials.ordinary])
    let trial = trials.trial(photo, seen: trials.steps[trials.ordinary].seen, kept: 0, of: 0)
    return Legibility(
      judge: .recognition, judgeName: reader.name, words: 0, trials: [trial], chosen: trial, isKept: true,
      readings: 1, photo: photo, notes: ["No word was read at full size, so the photo has its ordinary size."]
    )
  }
}
