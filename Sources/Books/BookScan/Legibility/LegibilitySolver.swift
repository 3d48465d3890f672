public import Imagery

/// Finds the cheapest photo in which what can be read at full size can still be read.
///
/// It reads the picture at full size, makes the photo at a few of the sizes at which its cost steps (`TokenProfile.steps(for:maxTokens:maximumLongSide:)`), and
/// reads each as the model would see it, after the vendor's own resizing. The photo that is chosen was made and read itself; no share is inferred.
///
/// ```swift
/// let reader = LegibilityReader(worker: try RecognitionWorker())
/// let goal = LegibilityGoal(profile: profile)
/// let legibility = try LegibilitySolver(goal, reader: reader)
///   .solve(picture.image, orientation: picture.orientation)
/// print(legibility.photo.size, legibility.chosen.tokens, legibility.chosen.share)
/// ```
///
/// What counts as kept: each run of letters and digits with at least two letters is a word, in lower case and without diacritics, where its
/// line was read with a confidence of at least 0.9. It is kept when its letters are read in their order at its place; spaces are ignored, one
/// letter of a word of six and more may differ, and no letter serves two words.
///
/// Without a reader, or when it fails, the height of what looks like letters decides, and ``Legibility/judge`` says so.
public struct LegibilitySolver: Sendable {
  private let goal: LegibilityGoal
  private let reader: LegibilityReader?

  /// - Parameter reader: nil where nothing can be read; then the proxy decides.
  public init(_ goal: LegibilityGoal, reader: LegibilityReader?) {
    self.goal = goal
    self.reader = reader
  }

  /// The same, which ends with `CancellationError` before its next reading when `isCancelled` says so.
  package func interrupted(when isCancelled: @escaping @Sendable () -> Bool) -> LegibilitySolver {
    let reader = reader.map { reader in
      LegibilityReader(name: reader.name) { picture in
        if isCancelled() { throw CancellationError() }
        return try reader.read(picture)
      }
    }
    return LegibilitySolver(goal, reader: reader)
  }

  /// The cheapest legible photo. Blocks while pictures are read, mostly three to five, each of which takes a recogniser seconds.
  ///
  /// Where no size within the budget keeps the share, it is the photo that keeps most. Where no word was read at full size there is nothing
  /// to go by, and it is the dearest within the budget and `settings.longSide`.
  /// - Parameters:
  ///   - image: any pixel format, at its full size. Of more than 50 megapixels, a copy of 50 counts as full size.
  ///   - orientation: stored pixels → upright.
  ///   - settings: of the photo; `longSide` and `tokenBudget` are the solver's to choose.
  /// - Throws: `ImageError` for a picture that cannot be decoded, or where even the smallest size costs more than `maxTokens`; `ScanError` where it
  ///   cannot be measured; `CancellationError` when the reader throws it.
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

  /// The same, and several photos beside it: one of each part that has text in it, such as a row of a shelf, each at the cheapest size in which
  /// its words are kept. A part that keeps too few at the largest size is halved. Takes up to twice as many readings, of smaller pictures.
  ///
  /// Without a reader, or when it fails, there is the whole alone.
  /// - Parameters: those of ``solve(_:orientation:settings:)``. `maxTokens` is for all crops together, shared by their words.
  /// - Throws: as ``solve(_:orientation:settings:)``.
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

/// What a reader threw, told apart from what the solver itself cannot do.
struct ReaderFailure: Error {
  var error: any Error
}
