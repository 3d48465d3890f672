import Capture
import Glibc
import Imagery
import System

@testable import Recording

/// A temporary folder that is deleted with the object.
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

/// Makes a camera's frames: pictures of one size whose grey or bytes depend on the frame number.
struct Frames {
  var size = PixelSize(width: 64, height: 48)
  var pixelFormat = PixelFormat.mjpeg
  var color = ColorDescription(matrix: .bt709, range: .limited)
  /// The time between exposures, in milliseconds.
  var interval: Int64 = 33
  var orientation = Orientation.upright
  var settings = FrameSettings()
  /// The exposure time of frame 0, in nanoseconds of the camera's clock.
  var start: Int64 = 5_000_000_000
  /// The luma of the picture's middle half (in width and height), in a picture without colour; nil for a uniform picture.
  var middle: UInt8?
  private let pool = PixelBufferPool()

  init(_ pixelFormat: PixelFormat = .mjpeg) { self.pixelFormat = pixelFormat }

  /// Returns the exposure time of a frame.
  func time(_ number: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: start + Int64(number) * interval * 1_000_000)
  }

  func frame(_ number: Int) throws -> Frame {
    Frame(
      image: try pixelFormat == .mjpeg ? jpeg(number) : raw(number, pixelFormat), sequence: UInt32(number),
      exposureTime: time(number), exposureEdge: .startOfExposure, arrivalTime: time(number + 1),
      orientation: FrameOrientation(preview: .upright, capture: orientation), settings: settings)
  }

  /// Returns the bytes of a frame as a JPEG picture.
  func bytes(_ number: Int) throws -> [UInt8] {
    let image = try jpeg(number)
    return withExtendedLifetime(image) { Array(image.planes[0].bytes) }
  }

  /// Returns a picture whose luma and chroma are all 16 + 10 × (number % 20).
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

/// Returns the luma of a JPEG picture's pixel at `place`.
func luma(of jpeg: [UInt8], _ place: (PixelSize) -> (x: Int, y: Int)) throws -> Int {
  let picture = try ImageConverter(pool: PixelBufferPool())
    .convert(try ImageFile.read(jpeg).image, to: .i420, color: .jpeg)
  return withExtendedLifetime(picture) {
    let (plane, place) = (picture.planes[0], place(picture.format.size))
    return Int(plane.base.load(fromByteOffset: place.y * plane.bytesPerRow + place.x, as: UInt8.self))
  }
}

/// Returns the bytes of a file; empty if it cannot be opened.
func contents(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { return [] }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
  return bytes
}

/// Writes a file of these bytes.
func write(_ bytes: some Collection<UInt8>, to path: String) throws {
  try DurableFile.replace(path, with: Array(bytes))
}

extension RecordingOutput {
  /// Records these frames as a session would, and returns when the file is complete.
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
