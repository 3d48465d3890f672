package import Capture
import Imagery
import System

/// A shutter that notes each request for a photo and its answer.
package final class Shutter: Sendable {
  private let session: CaptureSession
  private let output: PhotoOutput
  private let pressed = Locked(0)
  private let answers = Collected<ShutterPress>()
  /// Small photos, so that taking them does not affect the measured times.
  private static let settings = PhotoSettings(longSide: 160)
  private static let mostWaiting = 12

  package init(session: CaptureSession, output: PhotoOutput) {
    self.session = session
    self.output = output
  }

  package var all: [ShutterPress] { answers.all }
  package var waiting: Int { pressed.withLock { $0 } - answers.all.count }

  /// Requests a photo without waiting for the answer. Does nothing while too many answers are pending.
  package func press() {
    guard waiting < Self.mostWaiting else { return }
    pressed.withLock { $0 += 1 }
    Task {
      let (time, state) = (MonotonicTime.now(), await session.state)
      var failure: SessionError?
      do { _ = try await session.capturePhoto(Self.settings, from: output) } catch {
        failure = error as? SessionError ?? .captureCancelled
      }
      answers.add(ShutterPress(pressed: time, answered: .now(), state: state, error: failure))
    }
  }

  /// - Returns: false if some are not answered within the limit.
  package func untilAnswered(within limit: Duration) async -> Bool {
    let deadline = MonotonicTime.now() + limit
    while waiting > 0 {
      guard MonotonicTime.now() < deadline else { return false }
      try? await Task.sleep(for: .milliseconds(2))
    }
    return true
  }
}
