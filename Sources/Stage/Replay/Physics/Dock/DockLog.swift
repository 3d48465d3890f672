package import Capture
package import System

/// The requests to a simulated dock and its movements: the ground truth for a controller.
package final class DockLog: Sendable {
  /// A request, with the values that came together.
  package struct Request: Sendable {
    package let time: MonotonicTime
    package let values: [CameraControl: CameraControlValue]
  }

  package struct Exposed: Sendable {
    package let sequence: UInt32
    package let start: MonotonicTime
    /// Pan of the motors, in radians to the right.
    package let pan: Double
    /// Tilt of the motors, in radians upwards.
    package let tilt: Double
    /// Speed of the pan, in radians per second.
    package let panSpeed: Double
    /// Speed of the tilt, in radians per second.
    package let tiltSpeed: Double
    /// The centres of the subjects in the stored picture, 0 to 1 within it, in the order of the scene. Nil for hidden subjects.
    package let subjects: [Place?]
  }

  package struct Place: Hashable, Sendable {
    package let x: Double
    package let y: Double
    /// Apparent width of the subject, as a share of the picture's width.
    package let width: Double
  }

  private let state = Locked<(requests: [Request], frames: [Exposed])>(([], []))

  package init() {}

  package var requests: [Request] { state.withLock { $0.requests } }
  package var frames: [Exposed] { state.withLock { $0.frames } }

  func note(_ request: Request) { state.withLock { $0.requests.append(request) } }
  func note(_ frame: Exposed) { state.withLock { $0.frames.append(frame) } }
}
