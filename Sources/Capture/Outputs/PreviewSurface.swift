public import Imagery
import Locking

/// A picture as it was put on a surface.
public struct PresentedPicture: Sendable {
  /// What is on the surface: upright, aspect-filled.
  public let image: PixelBuffer
  public let frame: FrameFacts
  /// When drawing began.
  public let renderTime: MonotonicTime
  /// When the surface showed it.
  public let presentedTime: MonotonicTime
}

/// All of a frame but its pixels.
public struct FrameFacts: Hashable, Sendable {
  public let sequence: UInt32
  public let exposureTime: MonotonicTime
  public let exposureEdge: ExposureEdge
  public let arrivalTime: MonotonicTime
  public let orientation: FrameOrientation
  public let format: ImageFormat

  public init(_ frame: Frame) {
    sequence = frame.sequence
    exposureTime = frame.exposureTime
    exposureEdge = frame.exposureEdge
    arrivalTime = frame.arrivalTime
    orientation = frame.orientation
    format = frame.image.format
  }
}

/// Something that shows pictures: memory, a window, a display. All calls come from one thread.
public protocol PreviewSurface: AnyObject, Sendable {
  /// Memory for the next picture, BGRA or RGBA, at the size the surface has now; nil to skip a frame.
  func makeBuffer() -> PixelBuffer?
  /// Shows `image`.
  /// - Returns: when it was shown.
  func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime
}

/// A surface in memory: what the harness looks at, and what a program without a display shows.
public final class OffscreenSurface: PreviewSurface {
  private let pool = PixelBufferPool()
  private let clock: any CaptureClock
  private let pixelFormat: PixelFormat
  private let current: Locked<(size: PixelSize, image: PixelBuffer?)>

  /// - Parameter pixelFormat: `.bgra` or `.rgba`.
  public init(
    size: PixelSize, pixelFormat: PixelFormat = .bgra, clock: any CaptureClock = SystemClock()
  ) {
    self.clock = clock
    self.pixelFormat = pixelFormat
    current = Locked((size, nil))
  }

  /// The size of the next picture and all after it.
  public func resize(to size: PixelSize) { current.withLock { $0.size = size } }

  /// What is shown now.
  public var image: PixelBuffer? { current.withLock { $0.image } }

  public func makeBuffer() -> PixelBuffer? {
    let size = current.withLock { $0.size }
    return try? pool.makeBuffer(
      ImageFormat(pixelFormat: pixelFormat, size: size, color: ColorDescription(matrix: .bt709, range: .full))
    )
  }

  public func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime {
    current.withLock { $0.image = image }
    return clock.now()
  }
}
