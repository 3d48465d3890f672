package import Capture
import CorpusRecording
package import Imagery
package import Recording
import System

/// The faults of a recording: returns another frame, or none, in place of each frame.
///
/// `@unchecked Sendable`: the mutable state is used on the recording thread only.
package final class RecordingFault: @unchecked Sendable {
  private let fault: InjectedFault
  private let clock: any CaptureClock
  private let wake: WakeSignal?
  private var count = 0
  private var first: MonotonicTime?
  private var held: [Frame] = []

  package init(_ fault: InjectedFault, clock: any CaptureClock) {
    self.fault = fault
    self.clock = clock
    wake = try? WakeSignal()
  }

  /// - Returns: the frame to record; nil for none.
  package func altered(_ frame: Frame) -> Frame? {
    defer { count += 1 }
    switch fault {
    case .losesRecordedFrames: return count % 10 == 9 ? nil : frame
    case .restampsRecording: return restamped(frame)
    case .turnsRecording:
      var orientation = frame.orientation
      orientation.capture.rotation = orientation.capture.rotation + .clockwise90
      return frame.with(frame.exposureTime, orientation)
    case .slowsRecording:
      if let wake { clock.pauseWork(until: clock.now() + .milliseconds(100), wake: wake) }
      return frame
    case .holdsRecording:
      held.append(frame)
      return held.count > 10 ? held.removeFirst() : nil
    default: return frame
    }
  }

  /// Returns the frame with the time that a recorder would compute by counting frames.
  private func restamped(_ frame: Frame) -> Frame {
    let start = first ?? frame.exposureTime
    first = start
    return frame.with(start + .milliseconds(40 * count), frame.orientation)
  }
}

extension Frame {
  fileprivate func with(_ exposure: MonotonicTime, _ orientation: FrameOrientation) -> Frame {
    Frame(
      image: image, sequence: sequence, exposureTime: exposure, exposureEdge: exposureEdge,
      arrivalTime: arrivalTime, orientation: orientation, settings: settings)
  }
}

extension Rig {
  /// Makes a recording output, with the rig's fault if it is one of recordings.
  package func makeRecordingOutput(clock: any CaptureClock) -> RecordingOutput {
    guard let fault else { return RecordingOutput(clock: clock, folder: .corpus) }
    let broken = RecordingFault(fault, clock: clock)
    return RecordingOutput(clock: clock, folder: .corpus) { broken.altered($0) }
  }
}
