import Capture
package import Harness
import Imagery
import System

extension Timeline {
  /// Creates a timeline of the last pictures of a log: exposure, way to the surface, presentation.
  package init(tail log: [Presentation], interval: Duration) {
    let tail = log.suffix(12)
    let origin = tail.first?.frame.sceneTime(interval: interval) ?? MonotonicTime(nanoseconds: 0)
    func time(_ instant: MonotonicTime) -> Double { (instant - origin).milliseconds }
    self.init(lanes: [
      Lane(
        "exposure",
        spans: tail.map {
          let scene = time($0.frame.sceneTime(interval: interval))
          return Span("\($0.frame.sequence)", from: scene, to: scene + interval.milliseconds)
        }),
      Lane(
        "engine",
        spans: tail.map {
          Span("\($0.frame.sequence)", from: time($0.frame.arrivalTime), to: time($0.presentedTime))
        }),
      Lane("presented", marks: tail.map { Mark("\($0.frame.sequence)", at: time($0.presentedTime)) }),
    ])
  }
}
