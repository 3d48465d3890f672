import Harness
import Probes
import System

/// The whole path: camera, shutter, queue, backend, library.
struct ShelfToLibrary: Scenario {
  let id = "scan.end-to-end"
  let suite = Suite.scan
  let title = "From shelf to library"
  let purpose =
    "After a pan along a shelf, each of its books must be in the library, once and soon, whatever happened on the way."
  let exampleFailure =
    "A scanner that acknowledges a photo before it is on disk: fast, and one scan of twenty is never seen again."
  let requirements: [RequirementID] = ["QUE-1", "UPL-3", "OCR-1", "DUP-1", "SEC-2"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let trial = ScanTrialProgram(rig.with(nil), context)
    let losing = try trial.runScripted(["--lose", "2"])
    guard losing.accepted >= 4, losing.lost == losing.accepted / 2 else {
      return .failed("of \(losing.accepted) scans every second was lost, and \(losing.lost) were missed")
    }
    let slow = try trial.runScripted(["--delay", "300"])
    guard let least = slow.latencies.min(), least >= 300, let other = losing.latencies.min(), other < 300
    else {
      return .failed("300 ms at the backend were not seen: \(slow.latencies)")
    }
    return .passed(
      "\(losing.lost) lost scans of \(losing.accepted) were missed, and 300 ms at the backend made "
        + "\(Int(other)) ms \(Int(least)) ms")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let outcome = try ScanTrialProgram(rig, context).run([
      "--source", rig.specification ?? "corpus:shelf-pan", "--level", "fast", "--seconds",
      context.duration.scanning,
    ])
    return Observation(
      metrics: metrics(outcome), checks: checks(outcome),
      notes: notes(outcome))
  }

  private func metrics(_ outcome: StationOutcome) -> [Measurement] {
    let seconds = max(outcome.seconds, 0.001)
    func rate(_ id: String, _ title: String, count: Int) -> Measurement {
      Measurement(
        id: id, title: title, unit: .framesPerSecond, polarity: .higherIsBetter, level: .synthetic,
        samples: count > 0 ? [Double(count) / seconds] : [])
    }
    return [
      Measurement(
        id: "scan.latency", title: "Shutter pressed → books in the library", unit: .milliseconds,
        level: .synthetic, samples: outcome.latencies),
      Measurement(
        id: "scan.accept", title: "Shutter pressed → photo on disk", unit: .milliseconds, level: .synthetic,
        samples: outcome.acceptTimes),
      rate(
        "scan.rate", "Scans a second, from the first press to the last delivery", count: outcome.delivered),
      rate("scan.book-rate", "Books a second", count: outcome.books),
      known(
        "scan.titles-found", "Titles on the shelf that the library has", unit: .ratio,
        value: outcome.titlesFound),
      known(
        "scan.titles-lost", "Titles that were read and are not in the library: recognised as another book",
        unit: .count, value: outcome.titlesLost.map(Double.init)),
      known(
        "scan.duplicates-found", "Titles read again that made no second record", unit: .ratio,
        value: outcome.duplicatesFound, lack: "no title that is known was read twice"),
    ]
  }

  /// - Parameter value: nil if the value cannot be known, for example on a camera's shelf.
  private func known(
    _ id: String, _ title: String, unit: MeasurementUnit, value: Double?,
    lack: String = "the books on this shelf are not known"
  ) -> Measurement {
    Measurement(
      id: id, title: title, unit: unit, polarity: unit == .ratio ? .higherIsBetter : .lowerIsBetter,
      level: .synthetic, samples: value.map { [$0] } ?? [], lack: value == nil ? lack : nil)
  }

  private func checks(_ outcome: StationOutcome) -> [Check] {
    [
      Check(
        id: "scan.delivered", title: "Every acknowledged photo is delivered", passed: outcome.lost == 0,
        subjects: outcome.accepted, detail: "\(outcome.delivered) of \(outcome.accepted)",
        requirement: "QUE-1"),
      Check(
        id: "scan.jobs", title: "One job a photo, and each cleaned up",
        passed: outcome.jobs == outcome.accepted && outcome.openJobs == 0, subjects: outcome.accepted,
        detail: "\(outcome.jobs) jobs of \(outcome.uploads) uploads, \(outcome.openJobs) not cleaned up",
        requirement: "UPL-3"),
      Check(
        id: "scan.books", title: "Books come into the library", passed: outcome.books > 0,
        subjects: outcome.delivered, detail: "\(outcome.books) books of \(outcome.delivered) photos",
        requirement: "OCR-1"),
      Check(
        id: "scan.images", title: "No image is left", passed: outcome.imagesLeft == 0,
        subjects: outcome.accepted, detail: "\(outcome.imagesLeft) left", requirement: "SEC-2"),
    ]
  }

  private func notes(_ outcome: StationOutcome) -> [String] {
    var notes = ["Read by \(outcome.recognizer) at the backend, which runs on the same machine."]
    if let spines = outcome.spines, let found = outcome.spinesFound, let besides = outcome.booksBesides {
      notes.append(
        "The library has \(found) of the \(spines) titles on the shelf, and \(besides) records besides: misread, or an author read as a title."
      )
    }
    if let read = outcome.titlesRead, let readings = outcome.titleReadings,
      let doubled = outcome.titlesDoubled
    {
      notes.append(
        "\(read) titles were read, \(readings) times in all; \(doubled) of these made a second record.")
    }
    return notes
  }
}

extension RunDuration {
  /// Longest scan, in seconds. A recording ends by itself.
  var scanning: String {
    switch self {
    case .turn, .short: "12"
    case .full: "60"
    case .soak: "600"
    }
  }
}
