import Video4Linux

/// The result of trying a claim.
struct ModeProof: Sendable {
  /// A frame as the driver delivered it. Times are in nanoseconds on `CLOCK_MONOTONIC`.
  struct FrameNote: Hashable, Sendable {
    var sequence: UInt32
    var stamp: Int64?
    var clock: TimestampClock
    var edge: TimestampEdge
    var arrival: Int64
    /// Why the frame holds no whole picture. Nil if it holds a whole picture.
    var damage: String?
  }

  /// The duration of each step of the start, in milliseconds.
  struct Stages: Hashable, Sendable {
    var open = 0.0
    var format = 0.0
    var buffers = 0.0
    var stream = 0.0
    /// Time from the running stream to its first buffer. Nil if no buffer came.
    var firstBuffer: Double?

    /// Time from the beginning to the first buffer. Nil if no buffer came.
    var whole: Double? { firstBuffer.map { open + format + buffers + stream + $0 } }
  }

  let mode: CameraMode
  /// The format that the driver set.
  var given: VideoFormat?
  /// The interval that the driver set.
  var givenInterval: TimePerFrame?
  /// Why the mode could not be used, as a clause. Nil if it could.
  var refusal: String?
  var bufferCount = 0
  var stages = Stages()
  var frames: [FrameNote] = []
  /// The flaw of the pictures in this mode, as a clause. Nil if they are as agreed.
  var pictureFlaw: String?
  var map: PictureMap?
  /// A small JPEG of the first checked picture.
  var thumbnail: [UInt8]?

  static let bufferRequest = 8
  /// One buffer that is filled, one that is read, and one that waits.
  static let fewestBuffers = 3
  /// Number of frames at the start that are not judged, because sensors settle.
  static let settling = 2

  /// Why the claim does not hold. Nil if the claim holds.
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

  /// The frames after the settling time. Rules about time judge these frames, in modes without a flaw.
  var judged: [FrameNote] { Array(frames.dropFirst(ModeProof.settling)) }

  /// The expected interval, in nanoseconds. Nil if the device has none.
  var interval: Double? { (givenInterval ?? mode.interval).map { 1e9 / $0.framesPerSecond } }

  private func intervalHolds(_ wanted: TimePerFrame) -> Bool {
    guard let givenInterval else { return false }
    return abs(givenInterval.framesPerSecond / wanted.framesPerSecond - 1) < 0.01
  }
}

extension ModeProof {
  /// Returns the proof of a made-up camera that obeys every rule, for self-tests.
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
