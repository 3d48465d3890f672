package import Capture
package import Imagery
import Replay
import System

/// Requests photos in virtual time. Virtual time stands still until each request waits for its frame, so the recording alone determines which
/// frames are photographed, however busy the machine is.
package struct VirtualShutter: Sendable {
  package let session: CaptureSession
  let output: PhotoOutput
  package let clock: VirtualClock
  /// The frame interval. Time advances in steps of one interval, so that the amount of time does not depend on the machine's speed either.
  package let interval: Duration
  /// Number of intervals within which the frame of a photo must come.
  private static let patience = 200

  package init(session: CaptureSession, output: PhotoOutput, clock: VirtualClock, interval: Duration) {
    self.session = session
    self.output = output
    self.clock = clock
    self.interval = interval
  }

  /// Takes one photo for each of `settings`, in this order. All photos are of the frame nearest to the present time.
  /// - Throws: the first error of a photo; `NoFrame`; `CancellationError`, also if a request did not begin to wait for its frame.
  package func photos(_ settings: [PhotoSettings]) async throws -> [CapturedPhoto] {
    let answered = Locked(0)
    let presses = settings.map { settings in
      Task {
        defer { answered.withLock { $0 += 1 } }
        return try await session.capturePhoto(settings, from: output)
      }
    }
    while output.waitingCount + answered.withLock({ $0 }) < presses.count {
      try await Task.sleep(for: .microseconds(50))
    }
    for _ in 0..<Self.patience where output.waitingCount > 0 {
      await clock.run(for: interval)
      try Task.checkCancellation()
    }
    guard output.waitingCount == 0 else { throw NoFrame(intervals: Self.patience) }
    var photos: [CapturedPhoto] = []
    for press in presses { photos.append(try await press.value) }
    return photos
  }

  struct NoFrame: Error, CustomStringConvertible {
    let intervals: Int
    var description: String { "no frame came for a photo in \(intervals) frame intervals" }
  }
}

extension CameraSource {
  /// Whether the source is a recording or a drawn scene, which gives the same frames in every run, also in virtual time. A device does not.
  package var isPlayed: Bool { self is ReplaySource || self is SimulatedSource }
}
