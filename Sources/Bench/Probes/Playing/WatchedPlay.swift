import Capture
package import Harness
import Imagery
package import System

/// What was shown while somebody watched, and how long that was: what came is held against what should have come.
package struct WatchedPlay: Sendable {
  /// The stream ran from here on.
  package let began: MonotonicTime
  package let ended: MonotonicTime
  /// Everything that was presented.
  package let log: [Presentation]

  /// Pictures left out of other figures: they warm caches, which is the cold start's business.
  private static let warming = 5
  /// Without them.
  package var warm: [Presentation] { Array(log.dropFirst(Self.warming)) }

  /// The longest time without a new picture, from the beginning to the end, in ms: one that freezes, begins late or ends early
  /// shows here, wherever it does.
  package func longestGap(chart: TimeCodeChart) -> Double {
    var (last, longest): (MonotonicTime, Duration) = (began, .zero)
    var shown: Set<UInt32> = []
    for entry in log {
      guard let code = entry.code, shown.insert(chart.number(of: code, near: entry.frame.sequence)).inserted
      else { continue }
      longest = max(longest, entry.presentedTime - last)
      last = max(last, entry.presentedTime)
    }
    return max(longest, ended - last).milliseconds
  }
}

extension WatchedPlay {
  /// The metric of it, with the id `NAME.longest-gap`.
  package func gap(_ name: String, of subject: MovingSubject, _ level: EvidenceLevel) -> Measurement {
    Measurement(
      id: "\(name).longest-gap", title: "Longest time without a new picture, to the end", unit: .milliseconds,
      level: level, samples: log.isEmpty ? [] : [longestGap(chart: subject.chart)])
  }
}
