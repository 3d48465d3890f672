import Corpora
import Foundation
import Imagery
import Testing

@testable import Replay

@Suite("Playing a track")
struct TrackPlayerTests {
  /// A camera that was stopped skips what it missed, which would never end.
  @Test("A recording that says that it takes no time takes some in each lap")
  func noTime() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "track-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let size = PixelSize(width: 16, height: 16)
    let interval = FrameInterval(framesPerSecond: 50)
    let writer = try CorpusWriter(
      creating: folder.path,
      manifest: CorpusManifest(
        name: "short", title: "A test", licence: "Apache-2.0", madeBy: "a test", pixelFormat: .grey,
        size: size,
        color: .jpeg, frameInterval: interval))
    for index in 0..<2 {
      try writer.addFrame(
        [UInt8](repeating: 90, count: size.area), suffix: "raw", time: Int64(index) * 30_000_000,
        sequence: UInt32(index))
    }
    var options = ReplayOptions()
    options.loops = true
    var player = try TrackPlayer(corpus: try writer.finish(durationNanoseconds: 0), options: options)
    let times = try (0..<5).map { _ in try #require(try player.next()).time }
    #expect(times == [0, 30, 30, 60, 60].map { .milliseconds($0) })
  }
}
