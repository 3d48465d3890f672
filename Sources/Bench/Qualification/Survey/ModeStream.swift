import Capture
import Imagery
import Probes
import System
import Video4Linux

/// The running stream of one trial: frames that are timed, then pictures that are looked at.
struct ModeStream {
  let trial: ModeTrial
  let device: VideoDevice
  let queue: BufferQueue
  let layout: V4L2Layout
  /// When the stream began, in nanoseconds.
  let began: Int64

  private var kernel: any Kernel { trial.camera.kernel }

  func run(_ proof: inout ModeProof) throws {
    for index in 0..<trial.frameCount {
      guard let (filled, arrival) = try next(after: proof.frames.last?.arrival ?? began) else { return }
      defer { queue.giveBack(filled.index) }
      if index == 0 { proof.stages.firstBuffer = Double(arrival - began) / 1e6 }
      proof.frames.append(
        ModeProof.FrameNote(
          sequence: filled.sequence, stamp: filled.timestamp, clock: filled.timestampClock,
          edge: filled.timestampEdge, arrival: arrival, damage: layout.damage(of: filled)))
    }
    // To look at a picture takes long: the frames after it are late by our fault, and not timed.
    for _ in 0..<trial.pictureCount where proof.pictureFlaw == nil {
      guard let (filled, _) = try next(after: kernel.now()) else { return }
      defer { queue.giveBack(filled.index) }
      if layout.damage(of: filled) == nil { look(at: filled, &proof) }
    }
  }

  /// - Returns: nil when none comes within the trial's patience.
  private func next(after time: Int64) throws -> (DequeuedBuffer, Int64)? {
    while true {
      try Task.checkCancellation()
      let left = time + trial.patience - kernel.now()
      guard left > 0 else { return nil }
      _ = try device.wait(for: .buffer, timeout: .nanoseconds(min(left, 200_000_000)))
      if let filled = try queue.dequeue() { return (filled, kernel.now()) }
    }
  }

  /// Whether the marker EOI (ITU-T T.81) is there; cameras may pad after it, and inside the picture it cannot be.
  private func hasEnd(_ picture: PixelBuffer) -> Bool {
    let bytes = picture.planes[0].bytes
    return bytes.indices.dropLast().reversed().contains { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD9 }
  }

  private func look(at filled: DequeuedBuffer, _ proof: inout ModeProof) {
    let planes = layout.planes(of: filled, in: queue.buffers[filled.index])
    let picture = PixelBuffer(format: layout.image, planes: planes, lender: nil)
    do {
      let grey = try ImageConverter(pool: PixelBufferPool()).convert(picture, to: .grey, color: .jpeg)
      guard grey.format.size == layout.image.size else {
        proof.pictureFlaw = "its pictures are \(grey.format.size), not \(layout.image.size)"
        return
      }
      if picture.format.pixelFormat.isCompressed, !hasEnd(picture) {
        // Decoders fill in what is missing, so that a cut picture can be read.
        proof.pictureFlaw = "its JPEG pictures have no end (\(picture.planes[0].byteCount) bytes)"
        return
      }
      if proof.map == nil {
        proof.map = try PictureMap(of: grey)
        proof.thumbnail = try Thumbnail.jpeg(of: picture, longSide: 160)
      }
    } catch {
      proof.pictureFlaw = "its picture cannot be read: \(error)"
    }
  }
}
