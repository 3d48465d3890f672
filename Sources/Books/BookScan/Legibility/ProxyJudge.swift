import Imagery

/// Chooses the photo's size by the heights of shapes that look like letters.
struct ProxyJudge {
  private let trials: PhotoTrials
  private let goal: LegibilityGoal

  /// The judge's name in a result.
  static let name = "height and contrast of letters"

  init(_ trials: PhotoTrials, _ goal: LegibilityGoal) { (self.trials, self.goal) = (trials, goal) }

  /// Chooses a size.
  /// - Parameter note: the reason why the proxy decides, for the user; nil for none.
  /// - Throws: `ImageError`, `ScanError`.
  func decide(note: String? = nil) throws -> Legibility {
    let full = try trials.full()
    let (image, orientation, _) = try ImageFile.read(full.bytes)
    let letters = try LetterMeasure(try UprightPhoto(image, orientation: orientation))
    let notes = note.map { [$0] } ?? []
    let count = letters.heights.count
    guard count >= LetterMeasure.leastCount else {
      return try result(
        index: trials.ordinary, legible: [], 0, true,
        notes + ["No letters were found at full size, so the photo has its ordinary size."])
    }
    let legible = trials.steps.map {
      letters.legible(at: Double($0.seen.longSide) / Double(full.size.longSide))
    }
    // Letters that are too low even at full size do not count as lost.
    let whole = letters.legible(at: 1)
    let isKept = legible.firstIndex { Double($0) >= goal.share * Double(whole) - 1e-9 }
    return try result(
      index: isKept ?? trials.steps.count - 1, legible: legible, whole, isKept != nil, notes)
  }

  private func result(
    index: Int, legible: [Int], _ letters: Int, _ isKept: Bool, _ notes: [String]
  ) throws -> Legibility {
    let photo = try trials.photo(trials.steps[index])
    let all = trials.steps.enumerated().map { number, step in
      let kept = legible.isEmpty ? 0 : legible[number]
      return Legibility.Trial(
        size: step.size, seen: step.seen, tokens: step.tokens, bytes: nil, kept: kept,
        share: letters == 0 ? 1 : Double(kept) / Double(letters))
    }
    let chosen = trials.trial(photo, seen: all[index].seen, kept: all[index].kept, of: letters)
    return Legibility(
      judge: .proxy, judgeName: Self.name, words: letters, trials: all, chosen: chosen, isKept: isKept,
      readings: 0, photo: photo, notes: notes)
  }
}
