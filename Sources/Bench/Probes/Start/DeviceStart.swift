import Capture
import Corpora
package import Harness
import Imagery
import Replay
import System

/// What the device itself takes from `open` to its first buffer, which starts and recoveries are held against. Nothing of the
/// engine has a part in it: a device is read by `PlainReader`; a recording and a simulated camera are what they say they are.
package struct DeviceStart {
  let rig: Rig
  let bundled: String

  package static let title = "The device's own first frame, from open to buffer"

  package init(rig: Rig, bundled: String) {
    self.rig = rig
    self.bundled = bundled
  }

  /// Milliseconds, one a start; of a source whose time is known, that one.
  /// - Throws: `Unsupported` for a recording that is played in another format: converting it is no part of a device.
  package func samples(count: Int) async throws -> [Double] {
    let source = try rig.soundSource(orBundled: bundled)
    if let known = try Self.known(source) { return [known.milliseconds] }
    guard let device = source as? V4L2Source else {
      return try (0..<count).map { _ in try Self.asked(source) }
    }
    let reader = try PlainReader(device)
    return try (0..<count).map { _ in try reader.firstFrame() }
  }

  /// The metric of it; where there is none it says why.
  package func measurement(id: String, count: Int) async throws -> Measurement {
    var (samples, lack): ([Double], String?) = ([], nil)
    do { samples = try await self.samples(count: count) } catch let missing as Unsupported {
      lack = missing.reason
    }
    return Measurement(
      id: id, title: Self.title, unit: .milliseconds, level: rig.evidence, samples: samples, lack: lack)
  }

  /// One start after another, to be taken by turns with what is held against them: then what the machine does happens to both.
  package func turns() throws -> DeviceTurns {
    let source = try rig.soundSource(orBundled: bundled)
    do {
      if let known = try Self.known(source) { return DeviceTurns(known: known.milliseconds) }
    } catch let missing as Unsupported { return DeviceTurns(lack: missing.reason) }
    guard let device = source as? V4L2Source else { return DeviceTurns { try Self.asked(source) } }
    let reader = try PlainReader(device)
    return DeviceTurns { try reader.firstFrame() }
  }

  /// Until the first frame of a source that opens in no time: when its track has it, and the interval that a frame takes.
  static func known(_ source: any CameraSource) throws -> Duration? {
    if let simulated = source as? SimulatedSource { return simulated.frameInterval.duration }
    guard let replay = source as? ReplaySource else { return nil }
    let (manifest, options) = (replay.corpus.manifest, replay.options)
    if let asked = options.pixelFormat, asked != manifest.imageFormat.pixelFormat {
      throw Unsupported(
        "the recording is played as \(asked.rawValue), which no device does for it; leave out `format=`")
    }
    let first = try replay.corpus.track().first { event in
      if case .frame = event.kind { true } else { false }
    }
    guard options.pace == .recorded, let first else { return .zero }
    return (.nanoseconds(first.time) + manifest.frameInterval.duration) / options.speed
  }

  /// A camera of another kind, as tests have them, is asked itself.
  private static func asked(_ source: any CameraSource) throws -> Double {
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
    let (deadline, wake) = (clock.now() + .seconds(10), try WakeSignal())
    while true {
      switch try camera.next(until: deadline, wake: wake) {
      case .frame: return (clock.now() - began).milliseconds
      case .timedOut, .ended: throw Unsupported("\(source.specification) delivered no frame in 10 s")
      case .damagedFrame, .attitude, .controlsChanged, .interrupted, .interruptionEnded, .woken: continue
      }
    }
  }
}
