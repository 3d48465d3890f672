import Harness
import Imagery
import Probes
import System

/// What is said of every moving picture that was watched, whatever else is measured on it.
struct MovingFindings {
  /// How the ids begin.
  let name: String
  let play: WatchedPlay
  let subject: MovingSubject
  let level: EvidenceLevel

  /// What other figures are held against.
  var interval: Measurement {
    Measurement(
      id: "\(name).frame-interval", title: "Frame interval of the source", unit: .milliseconds,
      polarity: .exact, level: level, samples: [subject.interval.milliseconds])
  }

  var gap: Measurement { play.gap(name, of: subject, level) }

  func readable(_ unreadable: Int, _ requirement: RequirementID) -> Check {
    let count = play.warm.count
    return Check(
      id: "\(name).readable", title: "The number can be read off every picture shown",
      passed: unreadable == 0, subjects: count, detail: "\(unreadable) of \(count) could not be read",
      requirement: requirement)
  }
}
