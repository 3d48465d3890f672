import Capture
import Corpora
import Imagery
import Probes
import System

/// A trouble and the recovery from it, with times in milliseconds.
struct RecoveryMeasure: Sendable {
  let fault: CorpusTruth.Fault
  /// The interruption published for the trouble. Nil if none was published.
  let published: InterruptionReason?
  /// Time from the beginning of the trouble to the published interruption.
  let detected: Double?
  /// Time from the end of the trouble to the first picture after it.
  let resumed: Double?
  /// Number of frame intervals without a picture, between the last picture before the trouble and the first picture after the trouble. Nil
  /// if one of these pictures is missing.
  let lost: Int?

  init(_ fault: CorpusTruth.Fault, in log: TroubleLog) {
    self.fault = fault
    let began = log.time(fault.time)
    let ended = log.time(fault.time + fault.durationNanoseconds)
    let mark = log.states.first { mark in
      guard case .interrupted = mark.state else { return false }
      return mark.time >= began && mark.time <= ended + .seconds(1)
    }
    if case .interrupted(let reason)? = mark?.state { published = reason } else { published = nil }
    detected = mark.map { ($0.time - began).milliseconds }
    // A picture that was exposed before the end of the trouble and shown after it does not count as a recovery.
    let first = log.pictures.first { $0.presentedTime >= ended && $0.frame.exposureTime >= ended }
    resumed = first.map { ($0.presentedTime - ended).milliseconds }
    let last = log.pictures.last {
      $0.presentedTime < first?.presentedTime ?? began && $0.frame.exposureTime < began
    }
    lost = first.flatMap { first in
      last.map { last in
        let gap = (first.frame.exposureTime - last.frame.exposureTime).milliseconds
        return max(0, Int((gap / log.interval.milliseconds).rounded()) - 1)
      }
    }
  }
}
