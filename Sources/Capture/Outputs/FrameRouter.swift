import Imagery
import Locking

/// Gives each frame its angle and hands it to every output that has begun.
final class FrameRouter: Sendable {
  private struct Outputs {
    var all: [any FrameOutput] = []
    /// Those that have begun and not ended.
    var receiving: [any FrameOutput] = [] {
      didSet { haveJudge = receiving.contains { $0 is any PictureJudge } }
    }
    private(set) var haveJudge = false
    /// A frame is being handed out.
    var isDelivering = false
    /// Threads that wait for the end of that.
    var waiting = 0
  }

  let rotation: RotationCoordinator
  let record: PictureRecord
  let drops = DropLedger()
  private let outputs = Locked(Outputs())

  init(rotation: RotationCoordinator, record: PictureRecord = PictureRecord {}) {
    (self.rotation, self.record) = (rotation, record)
  }

  /// All that were added and not removed, in that order.
  var all: [any FrameOutput] { outputs.withLock { $0.all } }

  /// Once, however often it is added. Frames reach it when it has begun.
  func add(_ output: any FrameOutput) {
    (output as? any PictureJudge)?.report(to: record, drops)
    outputs.withLock { outputs in
      if !outputs.all.contains(where: { $0 === output }) { outputs.all.append(output) }
    }
  }

  /// Every output that has not begun gets what it works with.
  /// - Throws: when one cannot; those before it have begun, and end with the rest.
  func begin() throws(ResourceShortage) {
    let waiting = outputs.withLock { outputs in
      outputs.all.filter { output in !outputs.receiving.contains { $0 === output } }
    }
    for output in waiting {
      try output.begin()
      outputs.withLock { $0.receiving.append(output) }
    }
  }

  /// No further frame reaches these, but for one that is on its way.
  /// - Returns: those of them that have begun: they are still to end (`end(_:)`).
  func detach(_ removed: [any FrameOutput]) -> [any FrameOutput] {
    func isRemoved(_ output: any FrameOutput) -> Bool { removed.contains { $0 === output } }
    return outputs.withLock { outputs in
      let begun = outputs.receiving.filter(isRemoved)
      outputs.all.removeAll(where: isRemoved)
      outputs.receiving.removeAll(where: isRemoved)
      return begun
    }
  }

  /// Outputs that were detached and have not ended are back.
  func attach(_ returned: [any FrameOutput], begun: [any FrameOutput]) {
    outputs.withLock { outputs in
      outputs.all += returned
      outputs.receiving += begun
    }
  }

  /// Ends outputs that were detached, after the frame that is on its way to them.
  func end(_ detached: [any FrameOutput]) {
    outputs.withLock { $0.waiting += 1 }
    outputs.wait { $0.isDelivering ? nil : () }
    outputs.withLock { $0.waiting -= 1 }
    for output in detached { output.end() }
  }

  /// - Returns: whether there is an output that will report whether the picture could be decoded.
  @discardableResult func deliver(_ image: CapturedImage, arrivalTime: MonotonicTime) -> Bool {
    let orientation = rotation.orientation(at: image.exposureTime)
    let (receiving, haveJudge) = outputs.withLock { outputs in
      outputs.isDelivering = true
      return (outputs.receiving, outputs.haveJudge)
    }
    for output in receiving {
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

  /// The outputs end; they are those of the session's next life, too.
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
      exposureEdge: image.exposureEdge, arrivalTime: arrivalTime, orientation: orientation)
  }
}
