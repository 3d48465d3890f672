import Capture
import Imagery
import Replay
import System

/// A camera with random codes, so that each value of luma occurs with many values of chroma, also beyond black and white. These are the
/// hard cases of a conversion.
struct CodeNoise: CameraSource {
  /// Any uncompressed format.
  let format: ImageFormat
  let seed: UInt64
  private static let interval = FrameInterval(framesPerSecond: 50)

  var specification: String { "code noise" }

  func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    do throws(ImageError) {
      let picture = try Self.picture(format, seed: seed)
      return NoiseCamera(
        format: CameraFormat(image: format, frameInterval: Self.interval), picture: picture, clock: clock)
    } catch { throw .invalidSource(specification, reason: "\(error)") }
  }

  /// - Throws: `unsupported` for a compressed format.
  static func picture(_ format: ImageFormat, seed: UInt64) throws(ImageError) -> PixelBuffer {
    let picture = try PixelBufferPool().makeBuffer(format)
    let isWide = format.pixelFormat.isWide
    var state = seed
    for plane in picture.planes {
      for index in 0..<plane.byteCount / 2 {
        // Knuth's linear congruential generator. Its high bits are the random ones.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let word = UInt16(truncatingIfNeeded: state >> 48)
        plane.base.storeBytes(
          of: (isWide ? word & 0xFFC0 : word).littleEndian, toByteOffset: index * 2, as: UInt16.self)
      }
    }
    return picture
  }
}

private final class NoiseCamera: Camera {
  private let format: CameraFormat
  private let picture: PixelBuffer
  private let clock: any CaptureClock
  private var upcoming: (sequence: UInt32, exposure: MonotonicTime)?

  init(format: CameraFormat, picture: PixelBuffer, clock: any CaptureClock) {
    self.format = format
    self.picture = picture
    self.clock = clock
  }

  func open() throws(CameraError) -> CameraDescription {
    CameraDescription(
      kind: .simulated, name: "Code noise", driver: "simulated", bus: "code noise", formats: [format],
      mount: SensorMount())
  }

  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat { self.format }
  func start() throws(CameraError) { upcoming = (0, clock.now()) }
  func stop() {}
  func close() {}
  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool { true }

  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
    guard let (sequence, exposure) = upcoming else { return .ended }
    let due = exposure + format.frameInterval.duration
    if clock.wait(until: min(due, deadline), wake: wake) { return .woken }
    if due > deadline { return .timedOut }
    upcoming = (sequence &+ 1, due)
    return .frame(
      CapturedImage(
        image: picture, sequence: sequence, exposureTime: exposure, exposureEdge: .startOfExposure))
  }
}
