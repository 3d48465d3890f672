// Shows a preview for a second, and takes a photo. The source may be any camera, as on the command line of `swiftwing`:
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
    // Recordings are searched in the folder Corpus. A device needs no folder.
    let source = try SourceSpecification(arguments[1]).makeSource(corpusRoots: ["Corpus"])
    let session = CaptureSession(source: source)

    // The surface receives the pictures, upright and filling it. This surface is in memory; that of a window conforms to
    // `PreviewSurface`.
    let preview = PreviewOutput(surface: OffscreenSurface(size: PixelSize(width: 1280, height: 720)))
    // A photo shows the frame nearest to the press, so it has no shutter lag.
    let photos = PhotoOutput()
    await session.add(preview)
    await session.add(photos)

    // `start` throws errors that only the user can mend, such as a missing permission. Anything else is an interruption, which ends
    // by itself.
    try await session.start()
    for await state in await session.states() where state.acceptsPhotos { break }
    try await Task.sleep(for: .seconds(1))
    print("\(preview.totals.presented) pictures shown")

    // The photo is upright, at most 1024 pixels long and at most 500 kB, unless `PhotoSettings` says otherwise.
    let photo = try await session.capturePhoto(from: photos).photo
    try Data(photo.bytes).write(to: URL(fileURLWithPath: arguments[2]))
    print("photo: \(photo.size), \(photo.bytes.count) bytes")
    // When `stop` returns, the threads have ended and the device is closed.
    await session.stop()
  }
}
