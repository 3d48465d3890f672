import BookScan
import Imagery

/// Chooses the size of one photo by what can be read in it.
struct LegibleChoice: Sendable {
  private let goal: LegibilityGoal
  private let solver: LegibilitySolver
  private let readerNotes: [String]

  /// Starts what reads.
  /// - Throws: `ScanError` when what was asked for by name cannot read.
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
    return (legibility, LegibleOutcome(legibility, goal, MonotonicTime.now() - began))
  }

  /// What a person must know.
  func notes(_ legibility: Legibility, _ outcome: LegibleOutcome) -> [String] {
    readerNotes + legibility.notes + (outcome.warning.map { [$0] } ?? [])
  }
}
