import Capture
import Corpora
import Harness
import Imagery
import Probes

/// LAT-1: the cost of the preview relative to its floor: the least C code with the same libraries.
struct PreviewTime: Scenario {
  let id = "preview.floor"
  let suite = Suite.latency
  let title = "The preview against the same in C"
  let purpose =
    "Milliseconds follow the machine, which is slower beside other programs; the share "
    + "that the preview adds to the libraries' own work does not."
  let exampleFailure =
    "A preview that copies each frame before it draws it: half as much again on every picture."
  let requirements: [RequirementID] = ["LAT-1"]
  private let rig: Rig
  private let rounds: Int?

  /// - Parameter rounds: the number of rounds in which the preview and the C floor take turns; nil for the number of the duration class.
  init(rig: Rig, rounds: Int? = nil) {
    self.rig = rig
    self.rounds = rounds
  }

  /// Compares the preview with the C floor, and with the C floor run twice: the second ratio must be about half the first.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let frame = try PreviewSubject.television(PixelSize(width: 1280, height: 720))
    return try await onOwnThread {
      let contest = PreviewContest(rig: Rig(viewfinder: ""), rounds: 31)
      let (once, twice) = (
        try contest.run(frame, isTurned: false, draws: 1), try contest.run(frame, isTurned: false, draws: 2)
      )
      let share = Self.median(once.ratios) / Self.median(twice.ratios)
      // The second of the two drawings finds its data in the caches.
      let right = 1.3...2.5
      guard right.contains(share) else {
        return .late(
          "compared with the C run twice, the preview was read as 1/\(share) of what it is against it once",
          missedBy: right.distance(to: share))
      }
      return .passed(
        "compared with the C run twice, the preview was read as 1/\((share * 100).rounded() / 100) of what it is against it once"
      )
    }
  }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.sorted()[values.count / 2]
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    guard rig.specification == nil, rig.camera == nil else {
      throw Unsupported(
        "this scenario draws the bundled pictures, the same on every machine; run it without --source")
    }
    var observation = Observation(notes: [
      "Processor time of the preview's own thread, by turns in one process: from taking a frame to showing its picture, and the same picture in C. "
        + "What the capture thread does is in `latency.engine`."
    ])
    for subject in try PreviewSubject.all(rig) {
      try Task.checkCancellation()
      let contest = PreviewContest(rig: rig, rounds: rounds ?? context.duration.drawings)
      let outcome = try await onOwnThread {
        try contest.run(subject.frame, isTurned: subject.isTurned, band: subject.band)
      }
      observation.metrics += outcome.metrics(
        "preview.floor.\(subject.name)", of: subject.name, ours: "the preview", floor: "the C")
    }
    return observation
  }
}

/// A frame that both implementations draw.
struct PreviewSubject: Sendable {
  let name: String
  let frame: PixelBuffer
  var isTurned = false
  /// The number of rows that the C turns at once. Nil for all.
  var band: Int?

  static func all(_ rig: Rig) throws -> [PreviewSubject] {
    let television = try television(PixelSize(width: 1920, height: 1080))
    let webcam = try ImageFile.read(
      Corpus.find("shelf-pan", searching: rig.corpusRoots).frame("frames/000100.jpg").bytes
    ).image
    return [
      PreviewSubject(name: "nv12-1920x1080", frame: television),
      PreviewSubject(name: "nv12-1920x1080-turned", frame: television, isTurned: true),
      // The fastest band size of the C floor.
      PreviewSubject(name: "nv12-1920x1080-banded", frame: television, isTurned: true, band: 64),
      PreviewSubject(name: "mjpg-1280x720", frame: webcam),
    ]
  }

  /// Returns a frame as from an HDMI grabber: NV12 of limited range, with a pattern that the processor cannot predict.
  static func television(_ size: PixelSize) throws -> PixelBuffer {
    let frame = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .nv12, size: size, color: ColorDescription(matrix: .bt709, range: .limited)))
    for plane in frame.planes {
      let bytes = plane.base.assumingMemoryBound(to: UInt8.self)
      for index in 0..<plane.byteCount { bytes[index] = UInt8(40 + (index &* 2_654_435_761) >> 16 & 127) }
    }
    return frame
  }
}

extension RunDuration {
  /// Number of times that each picture is drawn.
  fileprivate var drawings: Int {
    switch self {
    case .turn: 60
    case .short: 300
    case .full: 1000
    case .soak: 4000
    }
  }
}
