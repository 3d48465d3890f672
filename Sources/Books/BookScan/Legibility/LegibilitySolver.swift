public import Imagery

/// Finds the cheapest photo in which the text that is legible at full size is still legible.
///
/// The solver reads the picture at full size. It makes the photo at some of the sizes at which its cost changes
/// (`TokenProfile.steps(for:maxTokens:maximumLongSide:)`), and reads each photo as the model would see it, after the vendor's own
/// resizing. The chosen photo was itself made and read; no share is inferred.
///
/// ```swift
/// let reader = LegibilityReader(worker: try RecognitionWorker())
/// let goal = LegibilityGoal(profile: profile)
/// let legibility = try LegibilitySolver(goal, reader: reader)
///   .solve(picture.image, orientation: picture.orientation)
/// print(legibility.photo.size, legibility.chosen.tokens, legibility.chosen.share)
/// ```
///
/// A word is a run of letters and digits with at least two letters, in lower case and without diacritics, in a line that was read
/// with a confidence of at least 0.9. It is kept if the letters are read in order at the word's place. Spaces are ignored, one
/// letter of a word of six or more may differ, and no letter counts for two words.
///
/// Without a reader, or if it fails, the solver decides by the heights of shapes that look like letters, and ``Legibility/judge``
/// says so.
public struct LegibilitySolver: Sendable {
  private let goal: LegibilityGoal
  private let reader: LegibilityReader?

  /// Creates a solver.
  /// - Parameter reader: nil if nothing can be read; then the proxy decides.
  public init(_ goal: LegibilityGoal, reader: LegibilityReader?) {
    self.goal = goal
    self.reader = reader
  }

  /// Returns the same solver, which throws `CancellationError` before its next reading if `isCancelled` returns true.
  package func interrupted(when isCancelled: @escaping @Sendable () -> Bool) -> LegibilitySolver {
    let reader = reader.map { reader in
      LegibilityReader(name: reader.name) { picture in
        if isCancelled() { throw CancellationError() }
        return try reader.read(picture)
      }
    }
    return LegibilitySolver(goal, reader: reader)
  }

  /// Finds the cheapest legible photo. Blocks while pictures are read: mostly three to five, each of which takes seconds.
  ///
  /// If no size within the budget keeps the goal's share of words, the result is the photo that keeps most of them. If no word was read at full
  /// size, the result is the dearest photo within the budget and `settings.longSide`.
  /// - Parameters:
  ///   - image: any pixel format, at its full size. If it has over 50 megapixels, a copy of 50 megapixels counts as full size.
  ///   - orientation: the turn from the stored pixels to the upright photo.
  ///   - settings: the settings of the photo. The solver chooses `longSide` and `tokenBudget`.
  /// - Throws: `ImageError` for a picture that cannot be decoded, or if even the smallest size costs more than `maxTokens`;
  ///   `ScanError` if it cannot be measured; `CancellationError` if the reader throws it.
  public func solve(
    _ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings = PhotoSettings()
  ) throws -> Legibility {
    let trials = try PhotoTrials(image, orientation, settings, goal)
    guard let reader else { return try ProxyJudge(trials, goal).decide() }
    do {
      return try WordJudge(trials, goal, reader).decide()
    } catch let failure as ReaderFailure {
      if failure.error is CancellationError { throw failure.error }
      return try ProxyJudge(trials, goal).decide(note: Self.note(failure))
    }
  }

  /// Finds the cheapest legible photo of the whole picture, and in addition one photo of each part with text, such as a row of a
  /// shelf, at the cheapest size that keeps its words. A part that keeps too few words at its largest size is halved. Takes up to
  /// twice as many readings, of smaller pictures.
  ///
  /// Without a reader, or if it fails, the result has only the photo of the whole picture.
  /// - Parameters: those of ``solve(_:orientation:settings:)``. `maxTokens` applies to all crops together; each gets a part in
  ///   proportion to its words.
  /// - Throws: the errors of ``solve(_:orientation:settings:)``.
  public func solveInCrops(
    _ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings = PhotoSettings()
  ) throws -> CropLegibility {
    let trials = try PhotoTrials(image, orientation, settings, goal)
    func whole(_ note: String? = nil) throws -> CropLegibility {
      let whole = try ProxyJudge(trials, goal).decide(note: note)
      return CropLegibility(whole: whole, crops: [], areChosen: false, goal: goal.share, readings: 0)
    }
    guard let reader else { return try whole() }
    do {
      return try CropJudge(trials: trials, goal: goal, reader: reader, settings: settings).decide()
    } catch let failure as ReaderFailure {
      if failure.error is CancellationError { throw failure.error }
      return try whole(Self.note(failure))
    }
  }

  private static func note(_ failure: ReaderFailure) -> String {
    "The words of the photo could not be read, so the height of its letters decided. \(failure.error)"
  }
}

/// An error of a reader, wrapped to distinguish it from errors of the solver itself.
struct ReaderFailure: Error {
  var error: any Error
}
