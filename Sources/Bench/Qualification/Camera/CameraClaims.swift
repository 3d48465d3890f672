import Capture
import Imagery
import Video4Linux

/// The modes that a camera claims to support.
struct CameraClaims: Sendable {
  struct Format: Sendable {
    let description: FormatDescription
    /// The claimed sizes, at most 512. For a range of sizes: the common ones, the smallest and the largest.
    let sizes: [FrameSize]
    /// Whether the engine can read the format, so that its pictures can be checked.
    var isReadable: Bool { PixelFormat(description.fourCC) != nil }
  }

  let formats: [Format]
  let current: VideoFormat
  private let intervals: [CameraMode: [TimePerFrame]]

  /// Creates claims of a single format.
  init(current: VideoFormat) { (formats, self.current, intervals) = ([], current, [:]) }

  init(of device: VideoDevice) throws(VideoDeviceError) {
    current = try device.format()
    let timings = try device.currentTimings()
    var formats: [Format] = []
    var intervals: [CameraMode: [TimePerFrame]] = [:]
    for description in try device.formats() {
      let sizes = try Self.sizes(description.fourCC, device, current: current, hasTimings: timings != nil)
      let format = Format(description: description, sizes: sizes)
      formats.append(format)
      for size in sizes where format.isReadable {
        let mode = CameraMode(fourCC: description.fourCC, size: size)
        intervals[mode] = try Self.intervals(mode, device, hasTimings: timings != nil)
      }
    }
    self.formats = formats
    self.intervals = intervals
  }

  /// Returns the claimed intervals of a picture, the shortest first. Empty if the device has none of its own.
  func intervals(of picture: CameraMode) -> [TimePerFrame] {
    intervals[CameraMode(fourCC: picture.fourCC, size: picture.size)] ?? []
  }

  private static func sizes(
    _ fourCC: FourCC, _ device: VideoDevice, current: VideoFormat, hasTimings: Bool
  ) throws(VideoDeviceError) -> [FrameSize] {
    // The size of a digital input is that of its signal.
    if hasTimings { return [current.size] }
    switch try device.frameSizes(for: fourCC) {
    case .discrete(let sizes): return sizes.isEmpty ? [current.size] : sizes
    case .stepwise(let width, let height):
      let usual = [(width.minimum, height.minimum), (640, 480), (1280, 720), (1920, 1080)]
      let sizes = (usual + [(width.maximum, height.maximum)]).map {
        FrameSize(width: width.nearest(to: $0.0), height: height.nearest(to: $0.1))
      }
      return sizes.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
  }

  private static func intervals(
    _ mode: CameraMode, _ device: VideoDevice, hasTimings: Bool
  ) throws(VideoDeviceError) -> [TimePerFrame] {
    if hasTimings { return [] }
    switch try device.frameIntervals(for: mode.fourCC, size: mode.size) {
    case .discrete(let intervals): return intervals.sorted { $0.nanoseconds < $1.nanoseconds }
    case .stepwise(let shortest, let longest, _):
      let usual = [60, 30, 15].compactMap { TimePerFrame(framesPerSecond: $0) }.filter {
        $0.nanoseconds > shortest.nanoseconds && $0.nanoseconds < longest.nanoseconds
      }
      return [shortest] + usual
    }
  }

  /// The claims for the report, a line for each format.
  var table: String {
    formats.map { format in
      let sizes = format.sizes.map { size in
        let rates = intervals(of: CameraMode(fourCC: format.description.fourCC, size: size)).map {
          "\(($0.framesPerSecond * 100).rounded() / 100)"
        }
        return rates.isEmpty ? "\(size)" : "\(size) at \(rates.joined(separator: ", ")) fps"
      }
      let kind = format.isReadable ? "" : " (not read by the engine)"
      return
        "\(format.description.fourCC) \(format.description.text)\(kind): \(sizes.joined(separator: "; "))"
    }.joined(separator: "\n")
  }
}
