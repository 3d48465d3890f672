import Charts
import Corpora
import Imagery
import System

/// A television signal of 30 pictures per second.
enum TelevisionSignal: Sendable {
  case high, ultraHigh

  /// The common name, also used in ids of metrics.
  var name: String { self == .high ? "1080p30" : "4k30" }
  var size: PixelSize {
    self == .high ? PixelSize(width: 1920, height: 1080) : PixelSize(width: 3840, height: 2160)
  }
}

/// A short recording of NV12 at 30 frames per second, as from an HDMI grabber: a grey ramp with the number of each frame. It is created when needed,
/// because as a bundled file it would take 25 MB, or 100 MB in 4K.
struct TelevisionRecording {
  /// The folder, which is created, or replaced if it exists.
  let folder: String
  let signal: TelevisionSignal

  private var size: PixelSize { signal.size }
  private static let interval = FrameInterval(framesPerSecond: 30)
  private static let code = ChartRect(x: 32, y: 32, width: 128, height: 128)
  private static let frames = 8

  /// - Throws: errors of `CorpusWriter`, for example if the folder cannot be written.
  func write() throws {
    var manifest = CorpusManifest(
      name: folder.split(separator: "/").last.map(String.init) ?? folder,
      title: "A grey ramp at \(signal.name)",
      licence: "CC0-1.0", madeBy: "swiftwing bench", pixelFormat: .nv12, size: size,
      color: ColorDescription(matrix: .bt709, range: .limited), frameInterval: Self.interval)
    manifest.timeCode = Self.code
    let writer = try CorpusWriter(creating: folder, manifest: manifest, replacing: true)
    var pixels = ramp()
    for number in 0..<Self.frames {
      try pixels.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        TimeCode.draw(
          UInt32(number), in: Self.code,
          luma: Plane(base: base, bytesPerRow: size.width, height: size.height), pixelStride: 1)
        try writer.addFrame(
          UnsafeRawBufferPointer(bytes), suffix: "raw", time: Int64(number) * Self.interval.nanoseconds,
          sequence: UInt32(number))
      }
    }
    try writer.finish()
  }

  /// Returns a frame without a number: luma from 40 to 180 between opposite corners, no colour.
  private func ramp() -> [UInt8] {
    var pixels = [UInt8](repeating: 128, count: size.area * 3 / 2)
    for row in 0..<size.height {
      for column in 0..<size.width {
        pixels[row * size.width + column] = UInt8(40 + 140 * (row + column) / (size.height + size.width))
      }
    }
    return pixels
  }
}
