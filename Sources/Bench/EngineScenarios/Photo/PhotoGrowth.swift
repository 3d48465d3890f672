import Capture
import Corpora
import Harness
import Imagery
import Probes
import System

/// IMG-5: the cost of a photo as a function of its frame's size.
struct PhotoGrowth: Scenario {
  let id = "photo.linear"
  let suite = Suite.photo
  let title = "Cost of a photo by the size of its frame"
  let purpose =
    "Sensors grow; a path that is quick at 12 megapixels and reads a frame twice beyond the cache is slow on the next camera."
  let exampleFailure =
    "A pipeline that keeps the whole decoded picture: 300 MB for a frame of 100 megapixels."
  let requirements: [RequirementID] = ["IMG-5"]
  private let rig: Rig
  private let rounds: Int?

  /// - Parameter rounds: the number of rounds with each size; nil for the number of the duration class.
  init(rig: Rig, rounds: Int? = nil) {
    self.rig = rig
    self.rounds = rounds
  }

  /// Frame sizes, 0.3 to 100 megapixels. Growth is measured from the size of `GrowthFindings.reference` to the largest.
  static let sizes = [(640, 480), (1280, 960), (2048, 1536), (4000, 3000), (8000, 6000), (11552, 8664)].map {
    PixelSize(width: $0, height: $1)
  }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let sizes = Self.sizes
    func growth(_ cost: (Double) -> Double) -> Double? {
      let costs = sizes.map { SizeCost(size: $0, times: [cost($0.megapixels)], memory: nil) }
      return GrowthFindings(code: "x", costs: costs).growth.first
    }
    guard let even = growth({ $0 + 1 }), even < 1, let steep = growth({ $0 * $0 }), steep > 8 else {
      return .failed("a cost that grows with the square of the size was accepted as proportional")
    }
    let touched = PeakMemory.of { [UInt8](repeating: 1, count: 64 << 20).count }.bytes
    guard touched.map({ $0 >= 60 << 20 }) ?? true else {
      return .failed("64 MB that were held for a moment were not counted")
    }
    return .passed(
      "a cost that grows with the square of the size was distinguished from a proportional one; 64 MB "
        + "held for a moment were counted"
    )
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    guard rig.specification == nil, rig.camera == nil else {
      throw Unsupported(
        "this scenario draws its own frames, the same on every machine; run it without --source")
    }
    let (rig, rounds) = (rig, rounds ?? context.duration.growthRounds)
    return try await onOwnThread {
      let still = try ImageFile.read(
        Corpus.find("stills-12mp", searching: rig.corpusRoots).frame("frames/000002.jpg").bytes
      ).image
      var observation = Observation(notes: [
        "Frames are a still repeated or cut, so that a megapixel has the same in it at every size; photos are 1024 pixels long and turned.",
        "Processor time of both threads. Memory is the most held beyond the frame itself.",
      ])
      for code in [PixelFormat.mjpeg, .nv12] {
        let frames = try Self.sizes.map { try TiledFrame(still).frame(code, $0) }
        let findings = GrowthFindings(
          code: code == .mjpeg ? "jpeg" : "nv12", costs: try Self.costs(frames, rig, rounds: rounds))
        observation.metrics += findings.metrics
        observation.evidence.append(.text("What a photo costs from \(code.rawValue)", findings.table))
      }
      return observation
    }
  }

  private static func costs(_ frames: [PixelBuffer], _ rig: Rig, rounds: Int) throws -> [SizeCost] {
    let turned = Orientation(rotation: .clockwise90)
    func photo(_ frame: PixelBuffer, _ pipeline: any PhotoProcessing) throws -> Photo {
      try pipeline.process(frame, orientation: turned, settings: PhotoSettings())
    }
    // Memory that a pipeline keeps for its next photo counts as well.
    var costs = try frames.map { frame in
      SizeCost(
        size: frame.format.size,
        memory: try PeakMemory.of { _ = try photo(frame, rig.makePhotoPipeline()) }.bytes
      )
    }
    let pipelines = frames.map { _ in rig.makePhotoPipeline() }
    for round in 0...rounds {
      try Task.checkCancellation()
      for (index, frame) in frames.enumerated() {
        let began = ProcessorTime.ofThread()
        let helper = try photo(frame, pipelines[index]).timings.helper
        let spent = ProcessorTime.ofThread() - began + helper
        // The first round warms up the kept memory and does not count.
        if round > 0 { costs[index].times.append(spent.milliseconds) }
      }
    }
    return costs
  }
}

/// The cost of photos of frames of one size.
struct SizeCost: Sendable {
  let size: PixelSize
  /// Processor time of each photo, in ms.
  var times: [Double] = []
  /// Peak memory in bytes. Nil if the system does not report it.
  let memory: Int?
}

struct GrowthFindings {
  /// The name used in ids of metrics.
  let code: String
  let costs: [SizeCost]

  /// The cost per megapixel of the largest frame ÷ that of a frame of 12 megapixels, round by round: 1 if the cost grows linearly with the size.
  var growth: [Double] {
    guard let reference, let last = costs.last else { return [] }
    return zip(last.times, reference.times).map {
      $0 / last.size.megapixels / ($1 / reference.size.megapixels)
    }
  }

  private var memoryGrowth: [Double] {
    guard let reference, let last = costs.last, let most = last.memory, let some = reference.memory, some > 0
    else { return [] }
    return [Double(most) / last.size.megapixels / (Double(some) / reference.size.megapixels)]
  }

  private var reference: SizeCost? { costs.first { $0.size.megapixels > 10 } }
  private static let untold = "the kernel does not report how much memory was held"

  var metrics: [Measurement] {
    func metric(
      _ part: String, _ title: String, unit: MeasurementUnit, samples: [Double], kind: MetricKind
    ) -> Measurement {
      Measurement(
        id: "photo.linear.\(code)\(part)", title: "\(code): \(title)", unit: unit, level: .synthetic,
        kind: kind,
        samples: samples, lack: kind == .observed && samples.isEmpty ? Self.untold : nil)
    }
    return [
      metric(
        ".growth", "time of a megapixel in 100, by that of one in 12", unit: .ratio, samples: growth,
        kind: .timed),
      metric(
        ".memory-growth", "memory for a megapixel in 100, by that for one in 12", unit: .ratio,
        samples: memoryGrowth,
        kind: .observed),
    ]
      + costs.flatMap { cost in
        let (size, name) = (cost.size.megapixels, "-\(cost.name)")
        return [
          metric(
            "\(name).per-megapixel", "\(cost.name): processor time for a megapixel", unit: .milliseconds,
            samples: cost.times.map { $0 / size }, kind: .timed),
          metric(
            "\(name).memory-per-megapixel", "\(cost.name): memory for a megapixel", unit: .bytes,
            samples: cost.memory.map { [Double($0) / size] } ?? [], kind: .observed),
        ]
      }
  }

  /// A row for each size.
  var table: String {
    let lines = costs.map { cost in
      let time = Summary(cost.times)?.median ?? .nan
      let memory = cost.memory.map { "\(Self.rounded(Double($0) / 1e6)) MB" } ?? "not told"
      return "\(cost.name.padded(8)) \(Self.rounded(time).padded(8)) ms "
        + "\(Self.rounded(time / cost.size.megapixels).padded(6)) ms/MP  \(memory)"
    }
    return lines.joined(separator: "\n")
  }

  private static func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}

extension SizeCost {
  /// The name, such as `12mp` or `0.3mp`.
  fileprivate var name: String {
    let size = size.megapixels
    return size < 10 ? "\((size * 10).rounded() / 10)mp" : "\(Int(size.rounded()))mp"
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}

extension PixelSize {
  fileprivate var megapixels: Double { Double(area) / 1e6 }
}

/// Frames that consist of tiles of one still.
struct TiledFrame {
  private let tile: PixelBuffer

  init(_ still: PixelBuffer) throws {
    tile = try ImageConverter(pool: PixelBufferPool()).convert(still, to: .i420, color: .jpeg)
  }

  /// - Parameter code: `mjpeg`, or a format that an I420 picture can be converted to.
  func frame(_ code: PixelFormat, _ size: PixelSize) throws -> PixelBuffer {
    let wall = try wall(size)
    guard code.isCompressed else {
      let limited = ColorDescription(matrix: .bt601, range: .limited)
      return try ImageConverter(pool: PixelBufferPool()).convert(wall, to: code, color: limited)
    }
    let whole = PhotoSettings(longSide: nil, maximumLongSide: size.longSide, quality: 90, maximumBytes: nil)
    let bytes = try PhotoPipeline().process(wall, orientation: .upright, settings: whole).bytes
    return try ImageFile.read(bytes).image
  }

  private func wall(_ size: PixelSize) throws -> PixelBuffer {
    let wall = try PixelBufferPool().makeBuffer(ImageFormat(pixelFormat: .i420, size: size, color: .jpeg))
    for (index, (from, to)) in zip(tile.planes, wall.planes).enumerated() {
      // All sizes are even, and the chroma planes are half as large.
      let (width, whole) = (tile.format.size.width >> min(index, 1), size.width >> min(index, 1))
      for row in 0..<to.height {
        let source = from.base + row % from.height * from.bytesPerRow
        for start in stride(from: 0, to: whole, by: width) {
          (to.base + row * to.bytesPerRow + start).copyMemory(
            from: source, byteCount: min(width, whole - start))
        }
      }
    }
    return wall
  }
}

extension RunDuration {
  /// Number of photos of each size.
  fileprivate var growthRounds: Int {
    switch self {
    case .turn: 3
    case .short: 7
    case .full: 20
    case .soak: 60
    }
  }
}
