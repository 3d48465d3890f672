// Gives a camera's frames to an algorithm as the driver delivers them, and then takes a photo: NativeFrames /dev/video0 photo.jpg
import Capture
import Foundation
import Imagery
import Replay

/// An output that receives each frame in the driver's own memory and format. Nothing is converted, scaled or rotated.
final class NewestFrame: FrameOutput {
  let (frames, newest) = AsyncStream.makeStream(of: Frame.self, bufferingPolicy: .bufferingNewest(1))

  // Called on the capture thread, so it passes the frame on and returns. While a frame is held, the driver cannot fill its buffer.
  func receive(_ frame: Frame) { newest.yield(frame) }

  // Called when the session ends. This ends the loop that reads the frames.
  func end() { newest.finish() }
}

@main struct NativeFrames {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { return print("usage: NativeFrames SOURCE OUT.jpg") }
    let source = try SourceSpecification(arguments[1]).makeSource(corpusRoots: ["Corpus"])
    let (session, output, photos) = (CaptureSession(source: source), NewestFrame(), PhotoOutput())
    await session.add(output)
    await session.add(photos)
    try await session.start()
    for await frame in output.frames.prefix(10) {
      // Your algorithm goes here. This one computes the mean of some bytes of the first plane, which for NV12 is the brightness.
      let (image, bytes) = (frame.image, frame.image.planes[0].bytes)
      let samples = stride(from: 0, to: bytes.count, by: 64).map { Int(bytes[$0]) }
      let mean = samples.reduce(0, +) / max(samples.count, 1)
      // A display or an encoder can use a DMA-BUF without copying it.
      let memory = image.shared() == nil ? "memory" : "DMA-BUF"
      print("\(image.format.pixelFormat) \(image.format.size) in \(memory), mean \(mean)")
    }
    let photo = try await session.capturePhoto(from: photos).photo
    try Data(photo.bytes).write(to: URL(fileURLWithPath: arguments[2]))
    print("10 frames, photo: \(photo.size)")
    await session.stop()
  }
}
