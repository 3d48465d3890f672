import Harness
import Imagery
import Video4Linux

/// What became of one claim when it was tried.
struct ModeProof: Sendable {
  /// One frame as the driver gave it. Times in nanoseconds on `CLOCK_MONOTONIC`.
  struct FrameNote: Hashable, Sendable {
    var sequence: UInt32
    var stamp: Int64?
    var clock: TimestampClock
    var edge: TimestampEdge
    var arrival: Int64
    /// Why it holds no whole picture; nil when it does.
    var damage: String?
  }

  /// How long each step of the start took, in milliseconds.
  struct Stages: Hashable, Sendable {
    var open = 0.0
    var format = 0.0
    var buffers = 0.0
    var stream = 0.0
    /// From the running stream to its first buffer; nil when none came.
    var firstBuffer: Double?

    /// From nothing to the first buffer.
    var whole: Double? { firstBuffer.map { open + format + buffers + stream + $0 } }
  }

  let mode: CameraMode
  /// What the driver agreed to.
  var given: VideoFormat?
  var givenInterval: TimePerFrame?
  /// Why it could not be had, as a clause.
  var refusal: String?
  var bufferCount = 0
  var stages = Stages()
  var frames: [FrameNote] = []
  /// What is wrong with its pictures, as a clause; nil when they are what was agreed to.
  var pictureFlaw: String?
  var map: PictureMap?
  /// A small JPEG of its last picture.
  var thumbnail: [UInt8]?

  static let bufferRequest = 8
  /// One that is filled, one that is read, one that waits.
  static let fewestBuffers = 3
  /// Frames at the start that are not judged: sensors settle.
  static let settling = 2

  /// Why the claim does not hold; nil when it does.
  var flaw: String? {
    if let refusal { return refusal }
    guard let given else { return "the driver did not say which format it set" }
    if given.fourCC != mode.fourCC || given.size != mode.size { return "the driver set \(given) instead" }
    if let wanted = mode.interval, !intervalHolds(wanted) {
      return "the driver set the interval \(givenInterval?.description ?? "none") instead of \(wanted)"
    }
    if bufferCount < ModeProof.fewestBuffers {
      return
        "\(bufferCount) of \(ModeProof.bufferRequest) buffers were granted; \(ModeProof.fewestBuffers) are needed"
    }
    if frames.count <= ModeProof.settling { return "only \(frames.count) frames came" }
    let damaged = judged.filter { $0.damage != nil }
    if let first = damaged.first?.damage {
      return "\(damaged.count) of \(judged.count) frames are damaged: \(first)"
    }
    return pictureFlaw
  }

  /// Frames that rules about time may judge: none of a mode that does not deliver what it claims.
  var judged: [FrameNote] { Array(frames.dropFirst(ModeProof.settling)) }

  /// The interval that it should keep, in nanoseconds; nil where the device says none.
  var interval: Double? { (givenInterval ?? mode.interval).map { 1e9 / $0.framesPerSecond } }

  private func intervalHolds(_ wanted: TimePerFrame) -> Bool {
    guard let givenInterval else { return false }
    return abs(givenInterval.framesPerSecond / wanted.framesPerSecond - 1) < 0.01
  }
}

extension ModeProof {
  /// A camera that never was and keeps every rule, for proving probes.
  static func example(frames count: Int = 20) -> ModeProof {
    let size = FrameSize(width: 320, height: 180)
    let pace = TimePerFrame(framesPerSecond: 50)
    var proof = ModeProof(mode: CameraMode(fourCC: .yuyv, size: size, interval: pace))
    proof.given = VideoFormat(fourCC: .yuyv, size: size)
    proof.givenInterval = pace
    proof.bufferCount = ModeProof.bufferRequest
    proof.stages = Stages(open: 1, format: 2, buffers: 3, stream: 4, firstBuffer: 20)
    proof.frames = (0..<count).map { index in
      let stamp = 1_000_000_000 + Int64(index) * 20_000_000
      return FrameNote(
        sequence: UInt32(index), stamp: stamp, clock: .monotonic, edge: .startOfExposure,
        arrival: stamp + 21_000_000)
    }
    return proof
  }
}
