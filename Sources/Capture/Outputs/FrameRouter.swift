import Imagery
import Locking

/// Takes frames from the capture thread. `receive` must not block: it keeps the frame for a thread of its own, or not.
protocol FrameOutput: AnyObject, Sendable {
  /// The session begins: threads start, where they have not. Throws when there is none to be had; may be asked again.
  func begin() throws(ResourceShortage)
  func receive(_ frame: Frame)
  /// The session ended: threads end.
  func end()
}

/// Gives each frame its angle and hands it to every output.
final class FrameRouter: Sendable {
  let rotation: RotationCoordinator
  private let outputs = Locked<[any FrameOutput]>([])

  init(rotation: RotationCoordinator) { self.rotation = rotation }

  func add(_ output: any FrameOutput) { outputs.withLock { $0.append(output) } }

  /// Every output gets what it works with.
  /// - Throws: when one cannot; those before it have begun, and end with the rest.
  func begin() throws(ResourceShortage) {
    for output in outputs.withLock({ $0 }) { try output.begin() }
  }

  func deliver(_ image: CapturedImage, arrivalTime: MonotonicTime) {
    let frame = Frame(
      image: image.image, sequence: image.sequence, exposureTime: image.exposureTime,
      exposureEdge: image.exposureEdge, arrivalTime: arrivalTime,
      orientation: rotation.orientation(at: image.exposureTime))
    for output in outputs.withLock({ $0 }) { output.receive(frame) }
  }

  func end() {
    for output in outputs.withLock({ outputs in
      defer { outputs = [] }
      return outputs
    }) { output.end() }
  }
}
