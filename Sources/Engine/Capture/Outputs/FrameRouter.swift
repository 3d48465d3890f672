import Imagery
import Log
import System

/// Adds the orientation to each frame and passes it to every output that has begun.
final class FrameRouter: Sendable {
  private struct Outputs {
    var all: [any FrameOutput] = []
    /// The outputs that have begun and not ended.
    var receiving: [any FrameOutput] = [] {
      didSet { haveJudge = receiving.contains { $0 is any PictureJudge } }
    }
    private(set) var haveJudge = false
    var hold: Hold?
    /// The exposure time of the newest frame that went to all outputs.
    var latest: MonotonicTime?
    /// Whether a frame is being passed to the outputs.
    var isDelivering = false
    /// The number of threads that wait until the frame has been passed.
    var waiting = 0

    func receiving(_ size: PixelSize) -> (outputs: [any FrameOutput], haveJudge: Bool) {
      guard let hold, size != hold.size else { return (receiving, haveJudge) }
      return (receiving.filter { $0 === hold.output }, false)
    }

    /// Notes a frame that is about to be passed.
    /// - Returns: the gap that the frame ends, and the one output that is not notified of the gap, because that output
    ///   took the still. Nil if the frame ends no gap.
    mutating func note(
      _ size: PixelSize, _ exposure: MonotonicTime
    ) -> (gap: StreamGap, but: any FrameOutput)? {
      guard let hold else {
        latest = exposure
        return nil
      }
      guard size == hold.size else { return nil }
      defer { self.latest = exposure }
      guard hold.isEnding, let latest else { return nil }
      self.hold?.isEnding = false
      return (StreamGap(start: latest, end: exposure, interval: hold.interval), hold.output)
    }
  }

  /// The state while a still of another size is taken.
  private struct Hold {
    /// The size of the stream; frames of another size go to `output` alone.
    let size: PixelSize
    let output: any FrameOutput
    let interval: Duration
    /// Whether the next frame of the stream's size ends the gap.
    var isEnding = false
  }

  let rotation: RotationCoordinator
  let record: PictureRecord
  let drops = DropLedger()
  private let outputs = Locked(Outputs())

  init(rotation: RotationCoordinator, record: PictureRecord = PictureRecord {}) {
    self.rotation = rotation
    self.record = record
  }

  /// All outputs that were added and not removed, in the order of adding.
  var all: [any FrameOutput] { outputs.withLock { $0.all } }

  /// Adds an output, unless it was added already. It gets frames once it has begun.
  func add(_ output: any FrameOutput) {
    (output as? any PictureJudge)?.report(to: record, drops)
    outputs.withLock { outputs in
      if !outputs.all.contains(where: { $0 === output }) { outputs.all.append(output) }
    }
  }

  /// Begins every output that has not begun.
  /// - Throws: an error if an output cannot begin. The outputs before it have begun, and end with the rest.
  func begin() throws(ResourceShortage) {
    let waiting = outputs.withLock { outputs in
      outputs.all.filter { output in !outputs.receiving.contains { $0 === output } }
    }
    for output in waiting {
      try output.begin()
      outputs.withLock { $0.receiving.append(output) }
    }
  }

  /// Removes outputs: no further frame reaches them, except one that is being passed.
  /// - Returns: those of them that have begun, which must still be ended (`end(_:)`).
  func detach(_ removed: [any FrameOutput]) -> [any FrameOutput] {
    func isRemoved(_ output: any FrameOutput) -> Bool { removed.contains { $0 === output } }
    return outputs.withLock { outputs in
      let begun = outputs.receiving.filter(isRemoved)
      outputs.all.removeAll(where: isRemoved)
      outputs.receiving.removeAll(where: isRemoved)
      return begun
    }
  }

  /// Adds detached outputs again, which must not have ended.
  /// - Parameter begun: those of them that have begun.
  func attach(_ returned: [any FrameOutput], begun: [any FrameOutput]) {
    outputs.withLock { outputs in
      outputs.all += returned
      outputs.receiving += begun
    }
  }

  /// Ends detached outputs, after a frame that is being passed to them.
  func end(_ detached: [any FrameOutput]) {
    outputs.withLock { $0.waiting += 1 }
    outputs.wait { $0.isDelivering ? nil : () }
    outputs.withLock { $0.waiting -= 1 }
    for output in detached { output.end() }
  }

  /// Until `release()`, passes frames of another size to `output` alone.
  /// - Parameter interval: the frame interval of the stream for all outputs.
  func hold(allBut size: PixelSize, every interval: Duration, for output: any FrameOutput) {
    outputs.withLock { $0.hold = Hold(size: size, output: output, interval: interval) }
  }

  /// Notes that the stream for all outputs comes back: its first frame ends a gap.
  func expectReturn() { outputs.withLock { $0.hold?.isEnding = true } }

  /// Passes all frames to all outputs again.
  func release() { outputs.withLock { $0.hold = nil } }

  /// - Returns: whether an output will report whether the picture could be decoded.
  @discardableResult func deliver(_ image: CapturedImage, arrivalTime: MonotonicTime) -> Bool {
    Log.frame.event("delivered", frame: image.sequence)
    let orientation = rotation.orientation(at: image.exposureTime)
    let (receiving, haveJudge, ended) = outputs.withLock { outputs in
      outputs.isDelivering = true
      let (receiving, haveJudge) = outputs.receiving(image.image.format.size)
      return (receiving, haveJudge, outputs.note(image.image.format.size, image.exposureTime))
    }
    if let (gap, but) = ended { tell(gap, to: receiving.filter { $0 !== but }) }
    for index in 0..<receiving.count {
      let output = receiving[index]
      let own = output.angleLock.map { rotation.orientation(heldAt: $0) } ?? orientation
      output.receive(Frame(image, arrivalTime: arrivalTime, orientation: own))
    }
    let isAwaited = outputs.withLock { outputs in
      outputs.isDelivering = false
      return outputs.waiting > 0
    }
    if isAwaited { outputs.notify() }
    return haveJudge
  }

  private func tell(_ gap: StreamGap, to outputs: [any FrameOutput]) {
    for output in outputs {
      output.note(gap)
      guard gap.missing > 0 else { continue }
      drops.note(
        .withheld, at: ObjectIdentifier(output), named: "\(type(of: output))", count: gap.missing,
        detail: "a still of another size was taken")
    }
  }

  /// Ends all outputs. They stay added for the session's next start.
  func end() {
    let ending = outputs.withLock { outputs in
      defer { outputs.receiving = [] }
      return outputs.receiving
    }
    for output in ending { output.end() }
  }
}

extension Frame {
  fileprivate init(_ image: CapturedImage, arrivalTime: MonotonicTime, orientation: FrameOrientation) {
    self.init(
      image: image.image, sequence: image.sequence, exposureTime: image.exposureTime,
      exposureEdge: image.exposureEdge, arrivalTime: arrivalTime, orientation: orientation,
      settings: image.settings ?? FrameSettings(), clockSteps: image.clockSteps)
  }
}
