import Imagery
import Locking

/// Takes frames from the capture thread. `receive` must not block: it keeps the frame for a thread of its own, or not.
protocol FrameOutput: AnyObject, Sendable {
  /// The session begins: threads start, where they do not run. Throws when there is none to be had; may be asked again.
  func begin() throws(ResourceShortage)
  func receive(_ frame: Frame)
  /// The session ended: threads end, and have when this returns. It may begin again.
  func end()
}

/// Gives each frame its angle and hands it to every output.
final class FrameRouter: Sendable {
  let rotation: RotationCoordinator
  let record: PictureRecord
  private let outputs = Locked<(all: [any FrameOutput], haveJudge: Bool)>(([], false))

  init(rotation: RotationCoordinator, record: PictureRecord = PictureRecord {}) {
    (self.rotation, self.record) = (rotation, record)
  }

  func add(_ output: any FrameOutput) {
    let judge = output as? any PictureJudge
    judge?.report(to: record)
    outputs.withLock { outputs in
      outputs.all.append(output)
      if judge != nil { outputs.haveJudge = true }
    }
  }

  /// Every output gets what it works with.
  /// - Throws: when one cannot; those before it have begun, and end with the rest.
  func begin() throws(ResourceShortage) {
    for output in outputs.withLock({ $0.all }) { try output.begin() }
  }

  /// - Returns: whether there is an output that will report whether the picture could be decoded.
  @discardableResult func deliver(_ image: CapturedImage, arrivalTime: MonotonicTime) -> Bool {
    let frame = Frame(
      image: image.image, sequence: image.sequence, exposureTime: image.exposureTime,
      exposureEdge: image.exposureEdge, arrivalTime: arrivalTime,
      orientation: rotation.orientation(at: image.exposureTime))
    let (all, haveJudge) = outputs.withLock { $0 }
    for output in all { output.receive(frame) }
    return haveJudge
  }

  /// The outputs end; they are those of the session's next life, too.
  func end() { for output in outputs.withLock({ $0.all }) { output.end() } }
}
