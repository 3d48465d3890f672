import Capture
import Imagery
import System

/// Latencies computed from the log of a surface.
package struct LatencyProbe {
  /// Milliseconds from the change of the scene to presentation: from the start of the exposure of the frame whose number is *in the picture* until
  /// the surface showed it. A number that is shown again counts once.
  package let glassToGlass: [Double]
  /// Milliseconds from dequeueing the frame to presentation: the engine's own share.
  package let engine: [Double]
  /// Number of pictures without a readable number.
  package let unreadable: Int

  package init(_ log: [Presentation], chart: TimeCodeChart, interval: Duration) {
    var sceneTimes: [UInt32: MonotonicTime] = [:]
    for entry in log { sceneTimes[entry.frame.sequence] = entry.frame.sceneTime(interval: interval) }
    var (glassToGlass, engine, unreadable): ([Double], [Double], Int) = ([], [], 0)
    var shown: Set<UInt32> = []
    for entry in log {
      engine.append((entry.presentedTime - entry.frame.arrivalTime).milliseconds)
      guard let code = entry.code else {
        unreadable += 1
        continue
      }
      let number = chart.number(of: code, near: entry.frame.sequence)
      guard shown.insert(number).inserted, let scene = sceneTimes[number] else { continue }
      glassToGlass.append((entry.presentedTime - scene).milliseconds)
    }
    self.glassToGlass = glassToGlass
    self.engine = engine
    self.unreadable = unreadable
  }
}

extension TimeCodeChart {
  /// Returns the sequence number for a code. If codes repeat, the one nearest to `sequence`.
  package func number(of code: UInt32, near sequence: UInt32) -> UInt32 {
    guard let period, period > 0 else { return code }
    let lap = Int64(sequence) / Int64(period)
    let candidates = [lap - 1, lap, lap + 1].map { $0 * Int64(period) + Int64(code) }.filter { $0 >= 0 }
    let nearest = candidates.min { abs($0 - Int64(sequence)) < abs($1 - Int64(sequence)) } ?? Int64(code)
    return UInt32(clamping: nearest)
  }
}
