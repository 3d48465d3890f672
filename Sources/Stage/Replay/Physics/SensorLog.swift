package import Capture
package import System

/// The commands and the exposures of a simulated camera: the ground truth for an engine.
package final class SensorLog: Sendable {
  package struct Command: Sendable {
    package let time: MonotonicTime
    package let control: CameraControl
    package let value: CameraControlValue
    /// Number of the call: commands of one call have the same number.
    package let call: Int
  }

  package struct Exposed: Sendable {
    package let sequence: UInt32
    /// The time when the frame's first row began to collect light.
    package let start: MonotonicTime
    package let duration: Double
    package let iso: Double
    package let temperature: Double
    package let tint: Double
    package let lensPosition: Double
    package let zoom: Double
    package let torch: Double
    /// The geometric mean of the frame's linear levels; 1 is saturation.
    package let level: Double
    /// The frame's distance from the metered exposure in EV, positive if the frame is brighter.
    package let offset: Double
  }

  private let state = Locked<(commands: [Command], frames: [Exposed], calls: Int)>(([], [], 0))

  package init() {}

  package var commands: [Command] { state.withLock { $0.commands } }
  package var frames: [Exposed] { state.withLock { $0.frames } }

  func note(_ values: [(control: CameraControl, value: CameraControlValue)], at time: MonotonicTime) {
    state.withLock { state in
      state.calls += 1
      let call = state.calls
      state.commands += values.map { Command(time: time, control: $0.control, value: $0.value, call: call) }
    }
  }

  func note(_ frame: Exposed) { state.withLock { $0.frames.append(frame) } }
}
