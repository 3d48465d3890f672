import Capture
import Imagery
import System

/// The visible flaws of a pan, computed from the log of a surface.
package struct PanProbe {
  /// Number of pictures that were never shown, between the first and the last shown picture. They are counted by their numbers and by the
  /// time of the scene, and the greater count applies: a source that stood still may continue its numbering without a gap.
  package let dropped: Int
  /// Number of pictures with the same number as the picture before.
  package let repeated: Int
  /// Number of pictures with a lower number than the picture before.
  package let reordered: Int
  /// For each pair of successive pictures, the difference between the interval of their presentations and that of their exposures, in ms.
  package let jitter: [Double]
  package let framesPerSecond: Double
  /// Number of pictures without a readable number.
  package let unreadable: Int

  package init(_ log: [Presentation], chart: TimeCodeChart, interval: Duration) {
    var (repeated, reordered): (Int, Int) = (0, 0)
    var jitter: [Double] = []
    var shown: [UInt32] = []
    for entry in log {
      guard let code = entry.code else { continue }
      let number = chart.number(of: code, near: entry.frame.sequence)
      if let last = shown.last {
        if number == last { repeated += 1 }
        if number < last { reordered += 1 }
      }
      shown.append(number)
    }
    for (before, after) in zip(log, log.dropFirst()) {
      let seen = (after.presentedTime - before.presentedTime).milliseconds
      let real = (after.frame.exposureTime - before.frame.exposureTime).milliseconds
      jitter.append(abs(seen - real))
    }
    self.repeated = repeated
    self.reordered = reordered
    self.jitter = jitter
    let distinct = Set(shown)
    let range = distinct.min().flatMap { first in distinct.max().map { Int($0 - first) + 1 } } ?? 0
    let scene = log.count > 1 ? log[log.count - 1].frame.exposureTime - log[0].frame.exposureTime : .zero
    let intervals = log.isEmpty ? 0 : Int((scene / interval).rounded()) + 1
    unreadable = log.count { $0.code == nil }
    // A repeated picture takes the place of a missing number; it is counted only once.
    dropped = max(0, max(range, intervals) - distinct.count - repeated - unreadable)
    let span = log.count > 1 ? (log.last!.presentedTime - log[0].presentedTime).milliseconds / 1000 : 0
    framesPerSecond = span > 0 ? Double(log.count - 1) / span : 0
  }
}
