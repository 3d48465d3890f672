import Capture
import Charts
import Corpora
import Harness
import Imagery
import Probes
import System

/// A recording in which the device is turned, with ground truth of how it was held.
struct TurningSubject: Sendable {
  let corpus: Corpus
  let source: any CameraSource
  let chart: TimeCodeChart
  let fiducial: ChartRect
  let events: [CorpusEvent]
  /// The true attitudes of the device, in degrees, by frame number.
  let attitudes: [UInt32: Double]

  static let bundled = ["corpus:turn", "corpus:turn-mirrored"]

  static func all(_ rig: Rig) throws -> [TurningSubject] {
    try (rig.specification == nil ? bundled : [""]).map { try TurningSubject(rig, bundled: $0) }
  }

  private init(_ rig: Rig, bundled: String) throws {
    guard let corpus = try rig.corpus(orBundled: bundled) else {
      throw Unsupported(
        "this scenario needs a recording, which says how the device was held; record one while turning the device"
      )
    }
    let name = corpus.manifest.name
    guard let rect = corpus.manifest.timeCode, let fiducial = corpus.manifest.fiducials.first else {
      throw Unsupported(
        "the corpus \(name) has no time-code or no fiducial in its frames; name one that has, "
          + "such as `corpus:turn`")
    }
    self.corpus = corpus
    self.fiducial = fiducial
    source = try rig.source(orBundled: bundled)
    chart = TimeCodeChart(rect: rect, period: nil)
    events = try corpus.track().remaining()
    let views = try corpus.truth()?.views ?? []
    attitudes = Self.attitudes(events, views)
    guard events.contains(where: { if case .angle = $0.kind { true } else { false } }), !attitudes.isEmpty
    else {
      throw Unsupported(
        "the corpus \(name) does not say at which angle the device was held; name one that does, "
          + "such as `corpus:turn`")
    }
  }

  private static func attitudes(_ events: [CorpusEvent], _ views: [CorpusTruth.View]) -> [UInt32: Double] {
    let byFile = Dictionary(views.map { ($0.file, $0.attitude) }, uniquingKeysWith: { first, _ in first })
    var attitudes: [UInt32: Double] = [:]
    for event in events {
      if case .frame(let frame) = event.kind { attitudes[frame.sequence] = byFile[frame.file] ?? nil }
    }
    return attitudes
  }

  /// A moment in the middle of each rest, in time of the track. At a rest, the device is held within 3° of a quarter-turn for at least 300 ms.
  var rests: [(time: Duration, held: Rotation)] {
    var rests: [(start: Int64, end: Int64, held: Rotation)] = []
    for event in events {
      guard case .frame(let frame) = event.kind, let attitude = attitudes[frame.sequence] else { continue }
      let held = Rotation(nearest: attitude)
      let isAtRest = abs((attitude - Double(held.rawValue)).remainder(dividingBy: 360)) < 3
      if isAtRest, let last = rests.last, last.held == held, event.time - last.end < 100_000_000 {
        rests[rests.count - 1].end = event.time
      } else if isAtRest {
        rests.append((event.time, event.time, held))
      }
    }
    return rests.filter { $0.end - $0.start >= 300_000_000 }
      .map { (.nanoseconds(($0.start + $0.end) / 2), $0.held) }
  }

  /// Returns the orientation in which each frame is upright, by frame number: the rule of ROT-4 applied to the motion events of the track. It is
  /// implemented here a second time, so that it does not repeat a mistake of the engine.
  func expectedOrientations(hysteresis: Double) -> [UInt32: Orientation] {
    let turns = events.compactMap { event -> (time: Int64, degrees: Double)? in
      if case .angle(let degrees) = event.kind { (event.time, degrees) } else { nil }
    }
    var (expected, held, next): ([UInt32: Orientation], Double?, Int) = ([:], nil, 0)
    for event in events {
      guard case .frame(let frame) = event.kind else { continue }
      while next < turns.count, turns[next].time <= event.time {
        let degrees = turns[next].degrees
        let quarter = (degrees / 90).rounded() * 90
        if held.map({ abs((degrees - $0).remainder(dividingBy: 360)) > hysteresis }) ?? true {
          held = quarter
        }
        next += 1
      }
      expected[frame.sequence] = corpus.manifest.uprightOrientation(attitude: held ?? 0)
    }
    return expected
  }
}
