import Harness
import Imagery
import Probes
import System

/// The findings on every watched moving picture: the frame interval, the longest gap, and whether the numbers can be read.
struct MovingFindings {
  /// The prefix of the ids.
  let name: String
  let play: WatchedPlay
  let subject: MovingSubject
  let level: EvidenceLevel

  /// The frame interval, as a reference for other figures.
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
