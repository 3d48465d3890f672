public import Imagery
public import System

/// A picture as it was put on a surface.
public struct PresentedPicture: Sendable {
  /// What is on the surface: upright, aspect-filled. BGRA or RGBA; of a camera's own picture (``PreviewSurface/presentUndrawn(_:frame:)``) alpha says nothing.
  public let image: PixelBuffer
  /// What is known of the frame it was made of.
  public let frame: FrameFacts
  /// When drawing began.
  public let renderTime: MonotonicTime
  /// When the surface showed it.
  public let presentedTime: MonotonicTime
}

/// All of a frame but its pixels.
public struct FrameFacts: Hashable, Sendable {
  /// As the device counts; gaps are frames it lost.
  public let sequence: UInt32
  /// When its exposure began, on `CLOCK_MONOTONIC`.
  public let exposureTime: MonotonicTime
  /// Which end of the frame the driver stamped.
  public let exposureEdge: ExposureEdge
  /// When the frame was taken from the driver.
  public let arrivalTime: MonotonicTime
  /// The angles that held when it was exposed.
  public let orientation: FrameOrientation
  /// Of the stored pixels, before they were turned or scaled.
  public let format: ImageFormat
  /// How the camera was set while it was exposed, and what was left to the outputs.
  public let settings: FrameSettings

  /// The facts of `frame`, without keeping its pixels.
  public init(_ frame: Frame) {
    sequence = frame.sequence
    exposureTime = frame.exposureTime
    exposureEdge = frame.exposureEdge
    arrivalTime = frame.arrivalTime
    orientation = frame.orientation
    format = frame.image.format
    settings = frame.settings
  }
}

/// Something that shows pictures: memory, a window, a display. All calls come from one thread.
public protocol PreviewSurface: AnyObject, Sendable {
  /// Memory for the next picture, BGRA or RGBA, at the size the surface has now; nil to skip a frame.
  func makeBuffer() -> PixelBuffer?
  /// Shows `image`.
  /// - Returns: when it was shown.
  func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime
  /// Shows a camera's own picture without drawing it, where the surface can take its memory; it is then kept as long as it is shown. Asked
  /// only for pictures that drawing would copy: RGB with all codes, upright, without zoom, look or exposure by software.
  /// - Returns: when it was shown; nil where it must be drawn.
  func presentUndrawn(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime?
}

extension PreviewSurface {
  /// Each picture is drawn.
  public func presentUndrawn(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime? { nil }
}

/// A surface in memory: what the harness looks at, and what a program without a display shows.
///
/// ```swift
/// let surface = OffscreenSurface(size: PixelSize(width: 640, height: 360), pixelFormat: .rgba)
/// await session.add(PreviewOutput(surface: surface))
/// surface.resize(to: PixelSize(width: 360, height: 640))
/// ```
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

  /// A buffer of the present size; nil when there is no memory for it.
  public func makeBuffer() -> PixelBuffer? {
    let size = current.withLock { $0.size }
    return try? pool.makeBuffer(
      ImageFormat(pixelFormat: pixelFormat, size: size, color: ColorDescription(matrix: .bt709, range: .full))
    )
  }

  /// Keeps the picture as `image`. It counts as shown at once.
  public func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime {
    current.withLock { $0.image = image }
    return clock.now()
  }
}
