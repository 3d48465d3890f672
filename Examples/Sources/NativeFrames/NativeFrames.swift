// The frames of a camera as the driver delivers them, for an algorithm of your own; then a photo: NativeFrames /dev/video0 photo.jpg
import Capture
import Foundation
import Imagery
import Replay

/// Takes each frame in the driver's own memory and format: nothing is converted, scaled or turned.
final class NewestFrame: FrameOutput {
  let (frames, newest) = AsyncStream.makeStream(of: Frame.self, bufferingPolicy: .bufferingNewest(1))

  // On the capture thread: hand it over and return. A frame that is held is a buffer that the driver cannot fill.
  func receive(_ frame: Frame) { newest.yield(frame) }

  // The session ended: so does the loop that reads the frames.
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
      // Your algorithm. This one takes the mean of some bytes of the first plane: for NV12 of the brightness.
      let (image, bytes) = (frame.image, frame.image.planes[0].bytes)
      let samples = stride(from: 0, to: bytes.count, by: 64).map { Int(bytes[$0]) }
      let mean = samples.reduce(0, +) / max(samples.count, 1)
      // A display or an encoder takes a DMA-BUF without a copy.
      let memory = image.shared() == nil ? "memory" : "DMA-BUF"
      print("\(image.format.pixelFormat) \(image.format.size) in \(memory), mean \(mean)")
    }
    let photo = try await session.capturePhoto(from: photos).photo
    try Data(photo.bytes).write(to: URL(fileURLWithPath: arguments[2]))
    print("10 frames, photo: \(photo.size)")
    await session.stop()
  }
}
