import Capture
import Harness
import Imagery
import Locking

/// What the device itself takes from `open` to its first buffer, with nothing of the engine around it: what starts and
/// recoveries are held against.
package struct DeviceStart {
  let rig: Rig
  let bundled: String

  package init(rig: Rig, bundled: String) {
    self.rig = rig
    self.bundled = bundled
  }

  /// Milliseconds, one a start.
  package func samples(count: Int) async throws -> [Double] {
    try (0..<count).map { _ in try once() }
  }

  private func once() throws -> Double {
    let source = try rig.source(orBundled: bundled)
    let clock = SystemClock()
    let began = clock.now()
    let camera = try source.makeCamera(clock: clock)
    defer { camera.close() }
    guard let format = SessionConfiguration().chooseFormat(try camera.open().formats) else {
      throw Unsupported("\(source.specification) offers no format")
    }
    _ = try camera.prepare(format)
    try camera.start()
    defer { camera.stop() }
    let deadline = clock.now() + .seconds(10)
    let wake = try WakeSignal()
    while true {
      switch try camera.next(until: deadline, wake: wake) {
      case .frame: return (clock.now() - began).milliseconds
      case .timedOut, .ended: throw Unsupported("\(source.specification) delivered no frame in 10 s")
      default: continue
      }
    }
  }
}
