import Harness
import Probes
import System

/// LIB-1: a large library answers while the user types.
struct LargeLibrary: Scenario {
  let id = "delivery.library"
  let suite = Suite.delivery
  let title = "Search in a large library"
  let purpose =
    "A user in front of a shelf asks whether the library has a book already, and wants the answer at once."
  let exampleFailure =
    "A search that reads every title: 2 s for a million books, at every letter typed."
  let requirements: [RequirementID] = ["LIB-1"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let trial = try TrialProgram(rig, context)
    let delayed: SearchOutcome = try trial.run([
      "search", "--books", "300", "--searches", "5", "--delay", "20",
    ])
    let quickest = delayed.searches.values.joined().min() ?? 0
    return quickest >= 20 && delayed.missed == 0
      ? .passed("an injected 20 ms was read as \(quickest) ms and more, and every book was found")
      : .failed("an injected 20 ms was read as \(quickest) ms; \(delayed.missed) books were missed")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let (books, searches) = context.duration.librarySize
    let outcome: SearchOutcome = try TrialProgram(rig, context).run(
      ["search", "--books", "\(books)", "--searches", "\(searches)"])
    let growth = (outcome.memory.max() ?? 0) - (outcome.memory.first ?? 0)
    return Observation(
      metrics: outcome.searches.sorted { $0.key < $1.key }.map { kind, times in
        Measurement(
          id: "delivery.search.\(kind)", title: "Search: \(kind)", unit: .milliseconds, level: .synthetic,
          samples: times)
      },
      checks: [
        Check(
          id: "delivery.search.found", title: "A book searched by ISBN, or by title and author, is found",
          passed: outcome.missed == 0, subjects: outcome.searches.count * searches,
          detail: "\(outcome.missed) missed",
          requirement: "LIB-1"),
        Check(
          id: "delivery.library.memory",
          title: "Memory stays flat: at most 64 MB more than before the import",
          passed: growth <= 64 << 20, subjects: outcome.memory.count, detail: "\(growth >> 20) MB more",
          requirement: "LIB-1"),
      ],
      notes: [
        "\(outcome.books) books imported in \(outcome.importSeconds.formatted) s; the library has \(outcome.libraryBytes >> 20) MB.",
        "`--duration full` has a million books.",
      ])
  }
}

/// The JSON output of `swiftwing-tool trial search`.
package struct SearchOutcome: Codable, Sendable {
  package var books = 0
  package var importSeconds = 0.0
  /// The size of the library file and its write-ahead log, in bytes.
  package var libraryBytes = 0
  /// The memory of the process in bytes: before the import, after it, and after the searches.
  package var memory: [Int] = []
  /// The time of each search in milliseconds, by kind of search.
  package var searches: [String: [Double]] = [:]
  /// The number of searches that did not find the book that they were made from.
  package var missed = 0

  package init() {}
}

extension Double {
  fileprivate var formatted: String { "\((self * 10).rounded() / 10)" }
}

extension RunDuration {
  fileprivate var librarySize: (books: Int, searches: Int) {
    switch self {
    case .turn: (10_000, 100)
    case .short: (30_000, 100)
    case .full, .soak: (1_000_000, 500)
    }
  }
}
