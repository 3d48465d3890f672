import Capture
import Corpora
import Harness
import Imagery

/// A moving picture with a time-code in every frame: what latency and drops are measured on.
struct MovingSubject: Sendable {
  let source: any CameraSource
  let chart: TimeCodeChart
  let interval: Duration
  let size: PixelSize

  /// The bundled pan as NV12, converted before the clock starts, for as long as wanted.
  static let bundled = "corpus:shelf-pan?format=NV12&loop=1"

  init(_ rig: Rig, bundled: String = MovingSubject.bundled) throws {
    source = try rig.source(orBundled: bundled)
    if let corpus = try rig.corpus(orBundled: bundled) {
      guard let rect = corpus.manifest.timeCode else {
        throw Unsupported("the corpus \(corpus.manifest.name) has no time-code in its frames")
      }
      chart = TimeCodeChart(rect: rect, period: UInt32(clamping: corpus.manifest.frameCount))
      interval = corpus.manifest.frameInterval.duration
      size = corpus.manifest.size
    } else if let simulated = try SourceSpecification(rig.specification ?? bundled).makeSource(
      corpusRoots: rig.corpusRoots) as? SimulatedSource
    {
      chart = TimeCodeChart(rect: simulated.timeCode, period: nil)
      interval = simulated.frameInterval.duration
      size = simulated.size
    } else {
      throw Unsupported(
        "a device shows no time-code of its own; play one to it through a loop-back or a screen")
    }
  }

  init(simulated: SimulatedSource, fault: InjectedFault? = nil) {
    source = fault.map { FaultySource(base: simulated, fault: $0) as any CameraSource } ?? simulated
    chart = TimeCodeChart(rect: simulated.timeCode, period: nil)
    interval = simulated.frameInterval.duration
    size = simulated.size
  }
}
