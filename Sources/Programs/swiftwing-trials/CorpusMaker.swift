import ArgumentParser
import Charts
import Console
import Corpora
import Imagery

/// Makes a recording of many very small frames, each with its number as a time code. It shows whether memory grows with the
/// length of a corpus.
struct LongCorpusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "corpus", abstract: "Make a recording of many very small frames.")

  @Option(help: "How many frames.") var frames = 1_000
  @Argument(help: "The folder to make.") var folder: String

  private static let size = PixelSize(width: 48, height: 32)
  private static let code = ChartRect(x: 4, y: 4, width: 24, height: 24)

  func run() throws {
    let interval = FrameInterval(framesPerSecond: 30)
    var manifest = CorpusManifest(
      name: "long", title: "A long recording of small frames", licence: "Apache-2.0",
      madeBy: "swiftwing-trials corpus", pixelFormat: .nv12, size: Self.size, color: .jpeg,
      frameInterval: interval)
    manifest.timeCode = Self.code
    let writer = try CorpusWriter(creating: folder, manifest: manifest)
    for number in 0..<frames {
      try writer.addFrame(
        Self.picture(UInt32(number)), suffix: "raw", time: Int64(number) * interval.nanoseconds,
        sequence: UInt32(number))
    }
    let corpus = try writer.finish()
    Terminal.say("\(corpus.directory) has \(corpus.manifest.frameCount) frames")
  }

  /// Returns an NV12 picture that is grey except for the time code.
  private static func picture(_ number: UInt32) -> [UInt8] {
    var bytes = [UInt8](repeating: 128, count: size.area * 3 / 2)
    bytes.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      TimeCode.draw(
        number, in: code, luma: Plane(base: base, bytesPerRow: size.width, height: size.height),
        pixelStride: 1)
    }
    return bytes
  }
}
