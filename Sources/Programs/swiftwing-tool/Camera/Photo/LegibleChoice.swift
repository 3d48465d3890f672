import BookScan
import Imagery
import System

/// Chooses the size of one photo by the words that stay legible in it.
struct LegibleChoice: Sendable {
  private let goal: LegibilityGoal
  private let solver: LegibilitySolver
  private let readerNotes: [String]

  /// Starts the recogniser.
  /// - Throws: `ScanError` if the recogniser that was named cannot be used.
  init(_ options: LegibleOptions, goal: LegibilityGoal) throws {
    let (reader, notes) = try options.reader()
    self.init(goal, reader: reader, notes: notes)
  }

  init(_ goal: LegibilityGoal, reader: LegibilityReader?, notes: [String] = []) {
    self.goal = goal
    solver = LegibilitySolver(goal, reader: reader)
    readerNotes = notes
  }

  func photo(
    _ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings
  ) throws -> (Legibility, LegibleOutcome) {
    let began = MonotonicTime.now()
    let legibility = try solver.solve(image, orientation: orientation, settings: settings)
    return (legibility, LegibleOutcome(legibility, goal, time: MonotonicTime.now() - began))
  }

  /// Compares the photo of the whole with photos of its parts.
  /// - Parameter write: writes the chosen photos.
  func crops(
    _ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings,
    write: (CropLegibility) throws -> [CropsOutcome.Part]
  ) throws -> CropsOutcome {
    let began = MonotonicTime.now()
    let result = try solver.solveInCrops(image, orientation: orientation, settings: settings)
    let time = MonotonicTime.now() - began
    var outcome = CropsOutcome(
      result, goal, photos: try write(result), time: time, notes: readerNotes + result.whole.notes)
    outcome.notes += outcome.warning.map { [$0] } ?? []
    return outcome
  }

  /// Returns the notes for a person.
  func notes(_ legibility: Legibility, _ outcome: LegibleOutcome) -> [String] {
    readerNotes + legibility.notes + (outcome.warning.map { [$0] } ?? [])
  }
}
