import Capture
import Glibc
import Imagery
import System

@testable import Recording

/// A folder that is gone with the test.
final class Folder {
  let path: String

  init() {
    var name = Array("/tmp/swiftwing-recording-XXXXXX".utf8CString)
    path = mkdtemp(&name).map { String(cString: $0) } ?? "/tmp"
  }

  deinit { _ = try? ChildProcess("rm", ["-rf", path]).wait() }

  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
  func has(_ name: String) -> Bool { access(self(name), F_OK) == 0 }
}

/// What a camera gives: pictures of one size whose grey, or whose bytes, tell their number.
struct Frames {
  var size = PixelSize(width: 64, height: 48)
  var pixelFormat = PixelFormat.mjpeg
  var color = ColorDescription(matrix: .bt709, range: .limited)
  /// Milliseconds from exposure to exposure.
  var interval: Int64 = 33
  var orientation = Orientation.upright
  var settings = FrameSettings()
  /// When the clock of the camera began, in nanoseconds.
  var start: Int64 = 5_000_000_000
  /// The luma of the middle half of the picture, across and down, which then has no colour; nil for what is around it.
  var middle: UInt8?
  private let pool = PixelBufferPool()

  init(_ pixelFormat: PixelFormat = .mjpeg) { self.pixelFormat = pixelFormat }

  /// When the exposure of a frame began.
  func time(_ number: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: start + Int64(number) * interval * 1_000_000)
  }

  func frame(_ number: Int) throws -> Frame {
    Frame(
      image: try pixelFormat == .mjpeg ? jpeg(number) : raw(number, pixelFormat), sequence: UInt32(number),
      exposureTime: time(number), exposureEdge: .startOfExposure, arrivalTime: time(number + 1),
      orientation: FrameOrientation(preview: .upright, capture: orientation), settings: settings)
  }

  /// The bytes of a compressed frame.
  func bytes(_ number: Int) throws -> [UInt8] {
    let image = try jpeg(number)
    return withExtendedLifetime(image) { Array(image.planes[0].bytes) }
  }

  /// Luma and chroma all one value, 16 + 10 times the number; only so many numbers differ.
  private func raw(_ number: Int, _ pixelFormat: PixelFormat) throws -> PixelBuffer {
    let image = try pool.makeBuffer(ImageFormat(pixelFormat: pixelFormat, size: size, color: color))
    for plane in image.planes { memset(plane.base, CInt(16 + number % 20 * 10), plane.byteCount) }
    guard let middle else { return image }
    for plane in image.planes.dropFirst() { memset(plane.base, 128, plane.byteCount) }
    let luma = image.planes[0]
    for row in size.height / 4..<size.height * 3 / 4 {
      memset(luma.base + row * luma.bytesPerRow + size.width / 4, CInt(middle), size.width / 2)
    }
    return image
  }

  private func jpeg(_ number: Int) throws -> PixelBuffer {
    let settings = PhotoSettings(longSide: nil, quality: 60, maximumBytes: nil)
    let photo = try PhotoPipeline().process(try raw(number, .i420), orientation: .upright, settings: settings)
    let format = ImageFormat(pixelFormat: .mjpeg, size: size, color: .jpeg)
    return try photo.bytes.withUnsafeBytes { bytes throws(ImageError) in
      try pool.makeBuffer(format, compressed: bytes)
    }
  }
}

/// The luma of a JPEG picture.
func luma(of jpeg: [UInt8], _ place: (PixelSize) -> (x: Int, y: Int)) throws -> Int {
  let picture = try ImageConverter(pool: PixelBufferPool())
    .convert(try ImageFile.read(jpeg).image, to: .i420, color: .jpeg)
  return withExtendedLifetime(picture) {
    let (plane, place) = (picture.planes[0], place(picture.format.size))
    return Int(plane.base.load(fromByteOffset: place.y * plane.bytesPerRow + place.x, as: UInt8.self))
  }
}

/// A whole file.
func contents(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { return [] }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
  return bytes
}

/// A file of these bytes.
func write(_ bytes: some Collection<UInt8>, to path: String) throws {
  try DurableFile.replace(path, with: Array(bytes))
}

extension RecordingOutput {
  /// Feeds frames, as a session does, and waits for the file.
  func record(
    _ frames: [Frame], _ settings: RecordingSettings = RecordingSettings(), to path: String,
    interval: FrameInterval = FrameInterval(framesPerSecond: 30)
  ) async throws -> Recording {
    try start(settings, to: path, interval: interval)
    try begin()
    defer { end() }
    for frame in frames { receive(frame) }
    return try await stop()
  }
}
