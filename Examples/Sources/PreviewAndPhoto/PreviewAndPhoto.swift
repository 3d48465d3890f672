// A preview for a second, and a photo. The source is what a person writes for any camera:
//
//   PreviewAndPhoto /dev/video0 photo.jpg
//   PreviewAndPhoto corpus:shelf-pan photo.jpg
import Capture
import Foundation
import Imagery
import Replay

@main struct PreviewAndPhoto {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { return print("usage: PreviewAndPhoto SOURCE OUT.jpg") }
    // Recordings are looked for in the folder Corpus; a device needs no folder.
    let source = try SourceSpecification(arguments[1]).makeSource(corpusRoots: ["Corpus"])
    let session = CaptureSession(source: source)

    // The surface is where pictures are shown. This one is memory; a window's conforms to `PreviewSurface`. Pictures come upright, and fill it.
    let preview = PreviewOutput(surface: OffscreenSurface(size: PixelSize(width: 1280, height: 720)))
    // Zero shutter lag: the photo is of the frame nearest to the press.
    let photos = PhotoOutput()
    await session.add(preview)
    await session.add(photos)

    // `start` throws what only the user can mend, such as a missing permission. Anything else is an interruption, which ends by itself.
    try await session.start()
    for await state in await session.states() where state.acceptsPhotos { break }
    try await Task.sleep(for: .seconds(1))
    print("\(preview.totals.presented) pictures shown")

    // Upright, at most 1024 pixels long and 500 kB, unless `PhotoSettings` says otherwise.
    let photo = try await session.capturePhoto(from: photos).photo
    try Data(photo.bytes).write(to: URL(fileURLWithPath: arguments[2]))
    print("photo: \(photo.size), \(photo.bytes.count) bytes")
    // Threads have ended, and the device is closed, when this returns.
    await session.stop()
  }
}
