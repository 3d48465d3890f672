import Capture
import Imagery
import Probes
import System
import Video4Linux

/// The running stream of one trial: first frames that are timed, then pictures that are checked.
struct ModeStream {
  let trial: ModeTrial
  let device: VideoDevice
  let queue: BufferQueue
  let layout: V4L2Layout
  /// Start of the stream, in nanoseconds.
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
    // Checking a picture takes long and delays the frames after it, so those are not timed.
    for _ in 0..<trial.pictureCount where proof.pictureFlaw == nil {
      guard let (filled, _) = try next(after: kernel.now()) else { return }
      defer { queue.giveBack(filled.index) }
      if layout.damage(of: filled) == nil { look(at: filled, &proof) }
    }
  }

  /// - Returns: nil if no frame comes within the trial's patience.
  private func next(after time: Int64) throws -> (DequeuedBuffer, Int64)? {
    while true {
      try Task.checkCancellation()
      let left = time + trial.patience - kernel.now()
      guard left > 0 else { return nil }
      _ = try device.wait(for: .buffer, timeout: .nanoseconds(min(left, 200_000_000)))
      if let filled = try queue.dequeue() { return (filled, kernel.now()) }
    }
  }

  /// Returns whether the marker EOI (ITU-T T.81) is present. Cameras may pad after it; inside the picture it cannot occur.
  private func hasEnd(_ picture: PixelBuffer) -> Bool {
    let bytes = picture.planes[0].bytes
    return bytes.indices.dropLast().reversed().contains { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD9 }
  }

  private func look(at filled: DequeuedBuffer, _ proof: inout ModeProof) {
    do {
      let picture = try layout.picture(
        of: filled, in: queue.buffers[filled.index], pool: PixelBufferPool())
      let grey = try ImageConverter(pool: PixelBufferPool()).convert(picture, to: .grey, color: .jpeg)
      guard grey.format.size == layout.image.size else {
        proof.pictureFlaw = "its pictures are \(grey.format.size), not \(layout.image.size)"
        return
      }
      if picture.format.pixelFormat.isCompressed, !hasEnd(picture) {
        // Decoders fill in missing data, so even a truncated picture can be read.
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
