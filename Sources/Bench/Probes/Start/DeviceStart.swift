import Capture
import Corpora
package import Harness
import Imagery
import Replay
import System

/// The device's own time from `open` to its first buffer, as a reference for starts and recoveries. No part of the engine is involved: a device is
/// read by `PlainReader`; the time of a recording or simulated camera is known.
package struct DeviceStart {
  let rig: Rig
  let bundled: String

  package static let title = "The device's own first frame, from open to buffer"

  package init(rig: Rig, bundled: String) {
    self.rig = rig
    self.bundled = bundled
  }

  /// Returns milliseconds, one value per start. For a source whose time is known, that time only.
  /// - Throws: `Unsupported` for a recording that is played in another format, because a device does not convert.
  package func samples(count: Int) async throws -> [Double] {
    let source = try rig.soundSource(orBundled: bundled)
    if let known = try Self.known(source) { return [known.milliseconds] }
    guard let device = source as? V4L2Source else {
      return try (0..<count).map { _ in try Self.asked(source) }
    }
    let reader = try PlainReader(device)
    return try (0..<count).map { _ in try reader.firstFrame() }
  }

  /// Returns the times as a metric. If there are none, the metric states the reason.
  package func measurement(id: String, count: Int) async throws -> Measurement {
    var (samples, lack): ([Double], String?) = ([], nil)
    do { samples = try await self.samples(count: count) } catch let missing as Unsupported {
      lack = missing.reason
    }
    return Measurement(
      id: id, title: Self.title, unit: .milliseconds, level: rig.evidence, samples: samples, lack: lack)
  }

  /// Returns starts to be made one by one, in turns with the starts that they are compared with, so that the load of the machine affects both.
  package func turns() throws -> DeviceTurns {
    let source = try rig.soundSource(orBundled: bundled)
    do {
      if let known = try Self.known(source) { return DeviceTurns(known: known.milliseconds) }
    } catch let missing as Unsupported { return DeviceTurns(lack: missing.reason) }
    guard let device = source as? V4L2Source else { return DeviceTurns { try Self.asked(source) } }
    let reader = try PlainReader(device)
    return DeviceTurns { try reader.firstFrame() }
  }

  /// Returns the known time to the first frame of a source that opens in no time: its time in the track, and the frame interval. Nil for other
  /// sources.
  static func known(_ source: any CameraSource) throws -> Duration? {
    if let simulated = source as? SimulatedSource { return simulated.frameInterval.duration }
    guard let replay = source as? ReplaySource else { return nil }
    let (manifest, options) = (replay.corpus.manifest, replay.options)
    if let asked = options.pixelFormat, asked != manifest.imageFormat.pixelFormat {
      throw Unsupported(
        "playing the recording as \(asked.rawValue) needs a conversion that a device does not make; leave out `format=`"
      )
    }
    let first = try replay.corpus.track().first { event in
      if case .frame = event.kind { true } else { false }
    }
    guard options.pace == .recorded, let first else { return .zero }
    return (.nanoseconds(first.time) + manifest.frameInterval.duration) / options.speed
  }

  /// Starts a camera of another kind, as in tests, through its own interface.
  private static func asked(_ source: any CameraSource) throws -> Double {
    let clock = SystemClock()
    let began = clock.now()
    let camera = try source.makeCamera(clock: clock)
    defer { camera.close() }
    guard let format = SessionConfiguration().chooseFormat(try camera.open().formats) else {
      throw Unsupported("\(source.specification) offers no format that can be read; name another source")
    }
    _ = try camera.prepare(format)
    try camera.start()
    defer { camera.stop() }
    let (deadline, wake) = (clock.now() + .seconds(10), try WakeSignal())
    while true {
      switch try camera.next(until: deadline, wake: wake) {
      case .frame: return (clock.now() - began).milliseconds
      case .timedOut, .ended:
        throw Unsupported("\(source.specification) delivered no frame in 10 s; try it with `swiftwing view`")
      case .damagedFrame, .attitude, .controlsChanged, .interrupted, .interruptionEnded, .woken: continue
      }
    }
  }
}
