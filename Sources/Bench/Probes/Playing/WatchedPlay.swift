import Capture
package import Harness
import Imagery
package import System

/// The pictures shown while a play was watched, with its duration, to compare them with those that should have been shown.
package struct WatchedPlay: Sendable {
  /// The time at which the stream began.
  package let began: MonotonicTime
  /// The time at which the watching ended.
  package let ended: MonotonicTime
  /// All presented pictures.
  package let log: [Presentation]

  /// Number of pictures at the start that other figures leave out. They warm up caches, which only the cold start measures.
  private static let warming = 5
  /// The pictures after those that warm up caches.
  package var warm: [Presentation] { Array(log.dropFirst(Self.warming)) }

  /// Returns the longest time without a new picture between the beginning and the end, in ms. It shows a play that freezes at any point, begins late
  /// or ends early.
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
  /// Returns the longest gap as a metric with the id `NAME.longest-gap`.
  package func gap(_ name: String, of subject: MovingSubject, _ level: EvidenceLevel) -> Measurement {
    Measurement(
      id: "\(name).longest-gap", title: "Longest time without a new picture, to the end", unit: .milliseconds,
      level: level, samples: log.isEmpty ? [] : [longestGap(chart: subject.chart)])
  }
}
