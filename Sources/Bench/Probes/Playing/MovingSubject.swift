package import Capture
import Corpora
import Harness
package import Imagery
package import Replay
import System

/// A moving picture with a time code in every frame, to measure latency and drops.
package struct MovingSubject: Sendable {
  package let source: any CameraSource
  package let chart: TimeCodeChart
  package let interval: Duration
  package let size: PixelSize

  /// The bundled pan as NV12, converted before the clock starts, in a loop.
  package static let bundled = "corpus:shelf-pan?format=NV12&loop=1"

  /// Creates the subject of a rig. A recording is played in a loop.
  package init(_ rig: Rig, bundled: String = MovingSubject.bundled) throws {
    let sound = try rig.soundSource(orBundled: bundled)
    if let replay = sound as? ReplaySource {
      try self.init(looping: replay, rig)
    } else if let simulated = sound as? SimulatedSource {
      self.init(simulated: simulated, fault: rig.fault)
    } else {
      throw Unsupported(
        "the pictures of a device have no time-code; play one to it through a loop-back or a screen")
    }
  }

  private init(looping replay: ReplaySource, _ rig: Rig) throws {
    let manifest = replay.corpus.manifest
    guard let rect = manifest.timeCode else {
      throw Unsupported(
        "the corpus \(manifest.name) has no time-code in its frames; name one that has, "
          + "such as `corpus:shelf-pan`")
    }
    var options = replay.options
    options.loops = true
    source = rig.broken(ReplaySource(corpus: replay.corpus, options: options))
    chart = TimeCodeChart(rect: rect, period: try Self.framesInALap(replay))
    interval = manifest.frameInterval.duration / options.speed
    size = manifest.size
  }

  /// Returns the number of frames in a lap, after which the codes start again. The lap is shorter than the recording if the recording is
  /// cut short.
  private static func framesInALap(_ replay: ReplaySource) throws -> UInt32 {
    let manifest = replay.corpus.manifest
    guard let seconds = replay.options.seconds else { return UInt32(clamping: manifest.frameCount) }
    return UInt32(
      clamping: try replay.corpus.track().count { event in
        if case .frame = event.kind { event.time < Int64(seconds) * 1_000_000_000 } else { false }
      })
  }

  package init(simulated: SimulatedSource, fault: InjectedFault? = nil) {
    source = fault.map { FaultySource(base: simulated, fault: $0) as any CameraSource } ?? simulated
    chart = TimeCodeChart(rect: simulated.timeCode, period: nil)
    interval = simulated.frameInterval.duration
    size = simulated.size
  }
}
