public import Imagery
public import System

/// A picture that was shown on a surface.
public struct PresentedPicture: Sendable {
  /// The pixels on the surface: upright, aspect-filled. BGRA or RGBA; the alpha of a camera's own picture
  /// (``PreviewSurface/presentUndrawn(_:frame:)``) has no meaning.
  public let image: PixelBuffer
  /// The facts of the frame that it was made of.
  public let frame: FrameFacts
  /// The time when drawing began.
  public let renderTime: MonotonicTime
  /// The time when the surface showed it.
  public let presentedTime: MonotonicTime
}

/// The properties of a frame, without its pixels.
public struct FrameFacts: Hashable, Sendable {
  /// The frame's number in the device's count; a gap means that the device lost frames.
  /// After a session was stopped, its camera counts anew; order such frames by their exposure.
  public let sequence: UInt32
  /// The time when the frame's exposure began, on `CLOCK_MONOTONIC`.
  public let exposureTime: MonotonicTime
  /// The instant that the driver's timestamp marks: the start of the exposure or the end of the frame.
  public let exposureEdge: ExposureEdge
  /// The time when the frame was taken from the driver.
  public let arrivalTime: MonotonicTime
  /// The angles at the time of the frame's exposure.
  public let orientation: FrameOrientation
  /// The format of the stored pixels, before they are turned or scaled.
  public let format: ImageFormat
  /// The camera's settings during the exposure, and those that the outputs must apply.
  public let settings: FrameSettings

  /// Copies the facts of `frame`, without keeping its pixels.
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

/// A surface that shows pictures: memory, a window, a display. All calls come from one thread.
public protocol PreviewSurface: AnyObject, Sendable {
  /// Provides memory for the next picture, BGRA or RGBA, at the present size of the surface; returns nil to skip a frame.
  func makeBuffer() -> PixelBuffer?
  /// Shows `image`.
  /// - Returns: the time when it was shown.
  func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime
  /// Shows a camera's own picture without drawing it, if the surface can use the picture's memory. The surface keeps the memory as long as it shows
  /// the picture. Called only for pictures that drawing would only copy: RGB with full range, upright, without zoom, look or software exposure.
  /// - Returns: the time when it was shown; nil if it must be drawn.
  func presentUndrawn(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime?
}

extension PreviewSurface {
  /// Returns nil, so each picture is drawn.
  public func presentUndrawn(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime? { nil }
}

/// A surface in memory, for the harness and for programs without a display.
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

  /// Sets the size of the next picture and all later ones.
  public func resize(to size: PixelSize) { current.withLock { $0.size = size } }

  /// The picture that is shown now.
  public var image: PixelBuffer? { current.withLock { $0.image } }

  /// A buffer of the present size; nil if there is no memory for it.
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
