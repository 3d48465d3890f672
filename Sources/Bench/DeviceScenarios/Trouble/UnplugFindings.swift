import Capture
import Harness
import Probes
import System

/// The results of many rounds of unplugging.
struct UnplugFindings {
  let log: UnplugPlay.Log
  let wanted: Int
  /// Milliseconds from opening the device to its first frame, without the engine.
  let device: [Double]

  private var rounds: [UnplugRound] { log.rounds }
  private static let id = "recovery.unplug"

  var observation: Observation {
    Observation(
      metrics: times + growths,
      checks: [rounded, published, photos, found, grown, left],
      evidence: [.text("Round by round, in ms and pieces", table)],
      notes: [
        "\(rounds.count) rounds. Unplugging is timed from the hang-up (POLLHUP) that another client of the device gets; plugging in, from the time stamp of the new device node."
      ])
  }

  // MARK: Figures

  private func metric(
    _ name: String, _ title: String, unit: MeasurementUnit, samples: [Double]
  ) -> Measurement {
    Measurement(id: "\(Self.id).\(name)", title: title, unit: unit, level: .buffer, samples: samples)
  }

  private var times: [Measurement] {
    [
      metric(
        "detected", "Unplugged → the interruption is published", unit: .milliseconds,
        samples: rounds.compactMap(\.detected)),
      metric(
        "resumed", "Plugged in → the first picture is shown", unit: .milliseconds,
        samples: rounds.compactMap(\.resumed)),
      metric(
        "device", "The device's own first frame, from open to buffer", unit: .milliseconds, samples: device),
      metric(
        "interval", "Frame interval of the source", unit: .milliseconds, samples: [log.interval.milliseconds]),
    ]
  }

  private func growth(_ count: KeyPath<ProcessFootprint, Int>) -> [Double] {
    rounds.filter { $0.shown != nil }.map {
      Double($0.footprint[keyPath: count] - log.before[keyPath: count])
    }
  }

  private var growths: [Measurement] {
    [
      metric(
        "descriptors", "Descriptors more than before, after each round", unit: .count,
        samples: growth(\.descriptors)),
      metric(
        "buffers", "Mapped video buffers more than before, after each round", unit: .count,
        samples: growth(\.videoMappings)),
      metric(
        "threads", "Threads of the engine more than before, after each round", unit: .count,
        samples: growth(\.engineThreads)
      ),
    ]
  }

  // MARK: Rules

  private func check(
    _ name: String, _ title: String, passed: Bool, subjects: Int, detail: String,
    requirement: RequirementID
  ) -> Check {
    Check(
      id: "\(Self.id).\(name)", title: title, passed: passed, subjects: subjects, detail: detail,
      requirement: requirement)
  }

  private var rounded: Check {
    let shown = rounds.count { $0.shown != nil }
    return check(
      "resumed", "Pictures come again without the user, every time", passed: shown == wanted,
      subjects: wanted,
      detail: "\(shown) of \(wanted)", requirement: "INT-2")
  }

  private var published: Check {
    let wrong = rounds.filter { $0.reason != .deviceDisconnected }
    return check(
      "published", "Published as deviceDisconnected", passed: wrong.isEmpty, subjects: rounds.count,
      detail: wrong.first.map {
        "published as \($0.reason?.rawValue ?? "nothing") in \(wrong.count) of \(rounds.count)"
      }
        ?? "\(rounds.count) of \(rounds.count)", requirement: "INT-1")
  }

  private var photos: Check {
    let presses = rounds.flatMap(\.presses)
    let pending = rounds.map(\.pending.count)
    let wrong = rounds.flatMap(\.wrongAnswers)
    let hung = rounds.map(\.unanswered).reduce(0, +)
    let refused = presses.count { $0.error?.code == .captureRefused }
    let detail =
      "\(presses.count) presses: \(presses.count { $0.error == nil }) photos, \(pending.reduce(0, +)) under way when it "
      + "was pulled (in \(pending.count { $0 > 0 }) of \(rounds.count) rounds) and answered so, \(refused) refused after it, "
      + "\(wrong.count) answered otherwise, \(hung) never answered"
      + (wrong.first?.error.map { "; first: \($0)" } ?? "")
    return check(
      "photos", "Every photo under way is answered with the reason; none hangs, none is lost",
      passed: wrong.isEmpty && hung == 0 && refused > 0 && pending.contains { $0 > 0 },
      subjects: presses.count,
      detail: detail, requirement: "INT-1")
  }

  private var found: Check {
    let moved = rounds.count(where: \.isUnderAnotherNumber)
    let lost = rounds.count { $0.shown == nil }
    return check(
      "found", "Found again, whatever its number", passed: lost == 0 && (moved > 0 || wanted < 2),
      subjects: rounds.count,
      detail: "\(moved) of \(rounds.count) times under another number than before; not found \(lost) times",
      requirement: "INT-3")
  }

  private var grown: Check {
    let footprints = rounds.filter { $0.shown != nil }.map(\.footprint)
    let mappings = Growth(counts: footprints.map(\.mappings)).lasting
    let threads = Growth(counts: footprints.map(\.threads)).lasting
    // A leak adds something in every round. A heap that the allocator adds for a thread once in a while is not a leak.
    let allowed = footprints.count / 20
    return check(
      "growth", "Mappings and threads of the whole process do not grow with the rounds",
      passed: mappings <= allowed && threads <= 0,
      subjects: footprints.count,
      detail: "by \(mappings) mappings and \(threads) threads between the first rounds and the last",
      requirement: "INT-6")
  }

  private var left: Check {
    let after = log.after
    return check(
      "left", "Nothing is left after stop()",
      passed: after.videoDescriptors == 0 && after.videoMappings == 0 && after.engineThreads == 0,
      subjects: 1,
      detail:
        "\(after.videoDescriptors) descriptors, \(after.videoMappings) mappings of the camera, \(after.engineThreads) threads of the engine",
      requirement: "INT-6")
  }

  private var table: String {
    func tenths(_ value: Double?) -> String { value.map { "\(($0 * 10).rounded() / 10)" } ?? "–" }
    let rows = rounds.enumerated().map { index, round in
      let print = round.footprint
      return "\(index + 1): detected \(tenths(round.detected)), \(round.pending.count) photos under way, "
        + "\(round.nodeBefore) → \(round.nodeAfter ?? "–")\(round.isHeld ? " (held)" : ""), prepared, started, shown \(round.stages.map(tenths).joined(separator: ", ")); "
        + "descriptors \(print.descriptors), mappings \(print.mappings) (camera \(print.videoMappings)), "
        + "threads \(print.threads) (engine \(print.engineThreads))"
    }
    return rows.joined(separator: "\n")
  }
}
