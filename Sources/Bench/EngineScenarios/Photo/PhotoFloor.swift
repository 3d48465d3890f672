import Capture
import Corpora
import Harness
import Imagery
import Probes

/// IMG-5: the cost of the photo path relative to the shortest C on the same libraries.
struct PhotoFloor: Scenario {
  let id = "photo.floor"
  let suite = Suite.photo
  let title = "The photo path against the same in C"
  let purpose =
    "A photo costs battery and heat; the cost beyond that of the libraries is what the engine can save."
  let exampleFailure =
    "A pipeline that decodes at full size and shrinks afterwards: three times the work for the same photo."
  let requirements: [RequirementID] = ["IMG-5"]
  private let rig: Rig
  private let rounds: Int?

  /// - Parameter rounds: the number of rounds in which both pipelines take turns; nil for the number of the duration class.
  init(rig: Rig, rounds: Int? = nil) {
    self.rig = rig
    self.rounds = rounds
  }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let size = PixelSize(width: 1280, height: 960)
    let color = ColorDescription(matrix: .bt601, range: .limited)
    let frame = try PixelBufferPool().makeBuffer(ImageFormat(pixelFormat: .nv12, size: size, color: color))
    for plane in frame.planes {
      plane.base.initializeMemory(as: UInt8.self, repeating: 128, count: plane.byteCount)
    }
    let floor = try FloorPipeline(longest: size)
    let outcome = try PhotoContest(rounds: 9).run(
      floor: { .init(bytes: try floor.photo(of: frame)) },
      ours: { .init(bytes: try floor.photo(of: frame) + floor.photo(of: frame)) })
    let ratios = outcome.ratios
    let median = ratios.sorted()[ratios.count / 2]
    let right = 1.7...2.3
    guard right.contains(median) else {
      return .late(
        "the C pipeline run twice was read as \(median) times itself", missedBy: right.distance(to: median))
    }
    return .passed("the C pipeline run twice was read as \((median * 100).rounded() / 100) times itself")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    guard rig.specification == nil, rig.camera == nil else {
      throw Unsupported(
        "this scenario compares on the bundled pictures, the same on every machine; run it without --source")
    }
    var observation = Observation(notes: [
      "Processor time of all threads of each, by turns in one process; both end with an upright JPEG of the same size.",
      "The C scales with libyuv's box filter, which loses 3 to 4 dB against the filter used here; that is in the ratio.",
    ])
    for subject in try FloorSubject.all(rig) {
      try Task.checkCancellation()
      observation.metrics += try contest(subject, context).metrics(
        "photo.floor.\(subject.name)", of: subject.name, ours: "the photo path", floor: "the C", kind: .timed)
    }
    return observation
  }

  /// Times both pipelines. The address of the memory changes the speed by a tenth, and addresses in a process are random. So both pipelines and the
  /// frame get new memory several times; the old memory is kept, because otherwise they would get the same memory again.
  private func contest(_ subject: FloorSubject, _ context: ScenarioContext) throws -> FloorOutcome {
    let rounds = rounds ?? context.duration.shots
    let turned = Orientation(rotation: .clockwise90)
    var (outcome, kept) = (FloorOutcome(), [Places]())
    for part in 0..<min(rounds, Self.parts) {
      let places = try Places(subject, rig)
      kept.append(places)
      let taken = try PhotoContest(rounds: (rounds + part) / Self.parts).run(
        floor: { .init(bytes: try places.floor.photo(of: places.frame)) },
        ours: {
          let photo = try places.ours.process(places.frame, orientation: turned, settings: PhotoSettings())
          return .init(bytes: photo.bytes.count, elsewhere: photo.timings.helper)
        })
      outcome.floor += taken.floor
      outcome.ours += taken.ours
    }
    return outcome
  }

  /// Number of times that both pipelines get new memory.
  private static let parts = 5

  /// The memory of both pipelines, and a copy of the frame.
  private struct Places {
    let frame: PixelBuffer
    let floor: FloorPipeline
    let ours: any PhotoProcessing

    init(_ subject: FloorSubject, _ rig: Rig) throws {
      frame = try subject.frame.inOtherMemory()
      floor = try FloorPipeline(longest: subject.size)
      ours = rig.makePhotoPipeline()
    }
  }
}

/// A frame that both pipelines make a photo of.
private struct FloorSubject {
  let name: String
  let frame: PixelBuffer
  let size: PixelSize

  static func all(_ rig: Rig) throws -> [FloorSubject] {
    let still = try picture("stills-12mp", "frames/000002.jpg", rig: rig)
    let limited = ColorDescription(matrix: .bt601, range: .limited)
    let planes = try ImageConverter(pool: PixelBufferPool()).convert(still, to: .nv12, color: limited)
    let video = try video(of: still, PixelSize(width: 1920, height: 1080))
    let pairs = try ImageConverter(pool: PixelBufferPool()).convert(video, to: .yuyv, color: limited)
    return try [still, planes, video, pairs, picture("shelf-pan", "frames/000100.jpg", rig: rig)].map {
      frame in
      let (code, size) = (frame.format.pixelFormat.rawValue.lowercased(), frame.format.size)
      return FloorSubject(name: "\(code)-\(size.width)x\(size.height)", frame: frame, size: size)
    }
  }

  /// Returns the upper part of a still as a Motion JPEG frame.
  private static func video(of still: PixelBuffer, _ size: PixelSize) throws -> PixelBuffer {
    let (pool, whole) = (PixelBufferPool(), still.format.size)
    let planes = try ImageConverter(pool: pool).convert(still, to: .i420, color: .jpeg)
    let part = PixelSize(width: whole.width, height: whole.width * size.height / size.width)
    let upper = try pool.makeBuffer(ImageFormat(pixelFormat: .i420, size: part, color: .jpeg))
    for (from, to) in zip(planes.planes, upper.planes) {
      for row in 0..<to.height {
        (to.base + row * to.bytesPerRow).copyMemory(
          from: from.base + row * from.bytesPerRow, byteCount: min(from.bytesPerRow, to.bytesPerRow))
      }
    }
    let settings = PhotoSettings(longSide: size.longSide, quality: 90, maximumBytes: nil)
    return try ImageFile.read(
      PhotoPipeline().process(upper, orientation: .upright, settings: settings).bytes
    ).image
  }

  private static func picture(_ corpus: String, _ file: String, rig: Rig) throws -> PixelBuffer {
    try ImageFile.read(Corpus.find(corpus, searching: rig.corpusRoots).frame(file).bytes).image
  }
}
