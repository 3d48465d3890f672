import Charts
import Corpora
import Imagery
import System

/// What television sends, 30 pictures a second.
enum TelevisionSignal: Sendable {
  case high, ultraHigh

  /// As people call it, and as ids of metrics have it.
  var name: String { self == .high ? "1080p30" : "4k30" }
  var size: PixelSize {
    self == .high ? PixelSize(width: 1920, height: 1080) : PixelSize(width: 3840, height: 2160)
  }
}

/// A short recording of NV12, 30 frames a second, as an HDMI grabber delivers it: a grey ramp with the number of each frame. Made when it
/// is needed: as files that came with the program it would be 25 MB, or 100.
struct TelevisionRecording {
  /// Made, and replaced when it is there.
  let folder: String
  let signal: TelevisionSignal

  private var size: PixelSize { signal.size }
  private static let interval = FrameInterval(framesPerSecond: 30)
  private static let code = ChartRect(x: 32, y: 32, width: 128, height: 128)
  private static let frames = 8

  /// - Throws: when the folder cannot be written.
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

  /// A frame without a number: luma 40 to 180 from corner to corner, no colour.
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
