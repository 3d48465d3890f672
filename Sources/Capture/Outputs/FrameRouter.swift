import Imagery
import Locking

/// Gives each frame its angle and hands it to every output that has begun.
final class FrameRouter: Sendable {
  private struct Outputs {
    var all: [any FrameOutput] = []
    /// Those that have begun and not ended.
    var receiving: [any FrameOutput] = []
    var haveJudge = false
  }

  let rotation: RotationCoordinator
  let record: PictureRecord
  private let outputs = Locked(Outputs())

  init(rotation: RotationCoordinator, record: PictureRecord = PictureRecord {}) {
    (self.rotation, self.record) = (rotation, record)
  }

  /// Once, however often it is added. Frames reach it when it has begun.
  func add(_ output: any FrameOutput) {
    (output as? any PictureJudge)?.report(to: record)
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
      outputs.withLock { outputs in
        outputs.receiving.append(output)
        if output is any PictureJudge { outputs.haveJudge = true }
      }
    }
  }

  /// - Returns: whether there is an output that will report whether the picture could be decoded.
  @discardableResult func deliver(_ image: CapturedImage, arrivalTime: MonotonicTime) -> Bool {
    let frame = Frame(
      image: image.image, sequence: image.sequence, exposureTime: image.exposureTime,
      exposureEdge: image.exposureEdge, arrivalTime: arrivalTime,
      orientation: rotation.orientation(at: image.exposureTime))
    let (receiving, haveJudge) = outputs.withLock { ($0.receiving, $0.haveJudge) }
    for output in receiving { output.receive(frame) }
    return haveJudge
  }

  /// The outputs end; they are those of the session's next life, too.
  func end() {
    let ending = outputs.withLock { outputs in
      defer { (outputs.receiving, outputs.haveJudge) = ([], false) }
      return outputs.receiving
    }
    for output in ending { output.end() }
  }
}
