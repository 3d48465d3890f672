import CPhotoFloor
import Capture
import Corpora
import Harness
package import Imagery
package import Probes
import System

/// LUT-1: the cost of a look relative to the shortest C.
struct LookFloor: Scenario {
  let id = "looks.floor"
  let suite = Suite.looks
  let title = "A look against the same in C"
  let purpose =
    "A look is applied to every picture of the preview; time beyond the loads and multiplications that "
    + "it needs is lost to everything else."
  let exampleFailure =
    "An interpolation in floating point: half as much again, and twice the memory for its table."
  let requirements: [RequirementID] = ["LUT-1"]
  private let rig: Rig
  private let rounds: Int?

  /// - Parameter rounds: the number of rounds in which the look and the C floor take turns; nil for the number of the duration class.
  init(rig: Rig, rounds: Int? = nil) {
    self.rig = rig
    self.rounds = rounds
  }

  /// Compares the C floor with itself run twice.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let picture = try PreviewSubject.television(PixelSize(width: 640, height: 480))
    let pixels = try ImageConverter(pool: PixelBufferPool()).convert(picture, to: .bgra, color: .jpeg)
    let outcome = try await onOwnThread {
      let (contest, floor) = (LookContest(picture: pixels, rounds: 15), try LookupFloor(.measured))
      return try contest.run(
        floor: { floor.apply(to: $0) },
        ours: {
          floor.apply(to: $0)
          floor.apply(to: $0)
        })
    }
    let median = outcome.ratios.sorted()[outcome.ratios.count / 2]
    let right = 1.6...2.4
    guard right.contains(median) else {
      return .late("the C run twice was read as \(median) times itself", missedBy: right.distance(to: median))
    }
    return .passed("the C run twice was read as \((median * 100).rounded() / 100) times itself")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    guard rig.specification == nil, rig.camera == nil else {
      throw Unsupported(
        "this scenario takes the bundled pictures, the same on every machine; run it without --source")
    }
    var observation = Observation(notes: [
      "Processor time of one thread, by turns in one process: BGRA pixels in place through a table of 33³ nodes, tetrahedrally. The preview shares "
        + "large pictures between two threads; here there is one."
    ])
    for (name, picture) in try subjects() {
      try Task.checkCancellation()
      let rounds = rounds ?? context.duration.shots
      let outcome = try await onOwnThread { try Self.contest(picture, rounds) }
      observation.metrics += outcome.metrics(
        "looks.floor.\(name)", of: name, ours: "the look", floor: "the C")
    }
    return observation
  }

  /// Compares the look with the floor. The addresses of tables and pictures affect the speed, as in `photo.floor`, so the look and the
  /// floor get new memory repeatedly. The old memory is kept, because otherwise the allocator would return the same addresses.
  private static func contest(_ picture: PixelBuffer, _ rounds: Int) throws -> FloorOutcome {
    var (outcome, kept) = (FloorOutcome(), [(LookupFloor, ColorLookup, PixelBuffer)]())
    for part in 0..<min(rounds, parts) {
      let (floor, look) = (try LookupFloor(.measured), try ColorLookup(cube: ReferenceLook.measured.file))
      let places = (floor, look, try picture.inOtherMemory())
      kept.append(places)
      let taken = try LookContest(picture: places.2, rounds: (rounds + part) / parts).run(
        floor: { floor.apply(to: $0) }, ours: { try look.apply(to: $0) })
      outcome.floor += taken.floor
      outcome.ours += taken.ours
    }
    return outcome
  }

  /// Number of times that the look and the floor get new memory.
  private static let parts = 5

  /// Returns a photographed shelf, and a picture of random codes, for which the caches are of no use.
  private func subjects() throws -> [(name: String, picture: PixelBuffer)] {
    let shelf = try ImageFile.read(
      Corpus.find("shelf-pan", searching: rig.corpusRoots).frame("frames/000100.jpg").bytes
    ).image
    let converter = ImageConverter(pool: PixelBufferPool())
    let noise = try CodeNoise.picture(
      ImageFormat(pixelFormat: .bgra, size: PixelSize(width: 1920, height: 1080), color: .jpeg), seed: 1)
    return [
      ("shelf-1280x720", try converter.convert(shelf, to: .bgra, color: .jpeg)), ("noise-1920x1080", noise),
    ]
  }
}

/// The look in hand-written C.
///
/// `@unchecked Sendable`: its table is only read.
package final class LookupFloor: @unchecked Sendable {
  private let floor: OpaquePointer

  /// - Parameter reference: a lattice without a domain of its own.
  package init(_ reference: ReferenceLook) throws {
    let values = reference.nodes.flatMap { node in (0..<3).map { Float(min(max(node[$0], 0), 1)) } }
    guard let floor = lookup_floor_open(values, Int32(reference.size)) else {
      throw ImageError.outOfMemory(bytes: values.count * 4)
    }
    self.floor = floor
  }

  deinit { lookup_floor_close(floor) }

  /// - Parameter image: a BGRA picture, changed in place.
  package func apply(to image: PixelBuffer) {
    let plane = image.planes[0]
    for row in 0..<image.format.size.height {
      lookup_floor_apply(
        floor, (plane.base + row * plane.bytesPerRow).assumingMemoryBound(to: UInt8.self),
        image.format.size.width)
    }
  }
}

/// A contest of two implementations that apply a look to a fresh copy of one picture, in turns.
struct LookContest {
  let picture: PixelBuffer
  let rounds: Int

  /// - Parameters:
  ///   - floor: changes a copy of the picture in place.
  ///   - ours: changes a copy of the picture in place.
  func run(floor: (PixelBuffer) throws -> Void, ours: (PixelBuffer) throws -> Void) throws -> FloorOutcome {
    let copy = try PixelBufferPool().makeBuffer(picture.format)
    // The first run of each warms its caches.
    _ = (try time(floor, copy), try time(ours, copy))
    var outcome = FloorOutcome()
    for _ in 0..<rounds {
      outcome.floor.append(try time(floor, copy))
      outcome.ours.append(try time(ours, copy))
    }
    return outcome
  }

  private func time(_ work: (PixelBuffer) throws -> Void, _ copy: PixelBuffer) throws -> Double {
    for (from, to) in zip(picture.planes, copy.planes) {
      to.base.copyMemory(from: from.base, byteCount: min(from.byteCount, to.byteCount))
    }
    let began = ProcessorTime.ofThread()
    try work(copy)
    return (ProcessorTime.ofThread() - began).milliseconds
  }
}
