public import Imagery
import Log
public import System

/// A picture for analysis: upright against gravity, at a size that analysis can keep up with. If the outputs
/// zoom or brighten in the camera's place (`FrameSettings.digitalZoom`, `digitalExposureBias`), it is cropped and brightened like the preview,
/// and its coordinates refer to the cropped picture.
public struct AnalysisPicture: Sendable {
  /// The pixels, in BGRA.
  public let image: PixelBuffer
  /// The facts of the frame that it was made of.
  public let frame: FrameFacts
}

/// Delivers frames to text recognition or other analysis: at most 30 a second (LAT-4), and never from a queue.
///
/// ```swift
/// let analysis = AnalysisOutput(longSide: 640, framesPerSecond: 10) { picture in
///   print(picture.image.format.size, picture.frame.sequence)
/// }
/// await session.add(analysis)
/// ```
///
/// AVFoundation's counterpart is `AVCaptureVideoDataOutput` with `alwaysDiscardsLateVideoFrames`.
public final class AnalysisOutput: FrameOutput, PictureJudge {
  private let worker: OutputWorker<Frame>
  private let verdicts = VerdictChannel()
  private let cap: Locked<FrameRateCap>
  private let lock = Locked<Rotation?>(nil)

  /// - Parameters:
  ///   - longSide: the long side of the pictures, in pixels; smaller frames are not enlarged.
  ///   - framesPerSecond: the largest rate of delivered pictures, 1...30.
  ///   - handler: called on the analysis thread; while it works, newer frames replace each other.
  public init(
    longSide: Int = 1024, framesPerSecond: Int = 30, clock: any CaptureClock = SystemClock(),
    handler: @escaping @Sendable (AnalysisPicture) -> Void
  ) {
    let painter = UprightPainter(longSide: longSide)
    cap = Locked(FrameRateCap(limit: min(max(framesPerSecond, 1), 30)))
    let verdicts = verdicts
    worker = OutputWorker(
      name: "analysis", clock: clock, capacity: 1, overflow: .replaceOldest,
      onReplaced: { verdicts.noteLate($0, "analysis: late") },
      work: { frame in
        let image: PixelBuffer
        do throws(ImageError) { image = try painter.paint(frame) } catch {
          Log.fate("analysis: undecodable", of: frame)
          return verdicts.send(PictureVerdict(error), of: frame)
        }
        verdicts.send(.decoded, of: frame)
        Log.fate("analysis: handed over", of: frame)
        handler(AnalysisPicture(image: image, frame: FrameFacts(frame)))
      })
  }

  /// The device angle for which pictures are turned, whatever the real angle is; nil, the default, follows the device. Takes
  /// effect on the next frame.
  public var angleLock: Rotation? {
    get { lock.withLock { $0 } }
    set { lock.withLock { $0 = newValue } }
  }

  /// Takes the frame, unless that would exceed `framesPerSecond`. The session calls it.
  public func receive(_ frame: Frame) {
    if cap.withLock({ $0.passes(frame.exposureTime) }) { worker.offer(frame) }
  }

  func report(to record: PictureRecord, _ drops: DropLedger) { verdicts.connect(self, to: record, drops) }
  /// Starts the analysis thread; the session calls it.
  public func begin() throws(ResourceShortage) { try worker.begin() }
  /// Ends the analysis thread, after waiting for a running `handler`. The session calls it.
  public func end() { worker.end() }
}

/// The work of the analysis thread.
///
/// `@unchecked Sendable`: created before the thread begins, then used by that thread alone.
private final class UprightPainter: @unchecked Sendable {
  private let renderer = PreviewRenderer()
  private let pool = PixelBufferPool()
  private let longSide: Int

  init(longSide: Int) { self.longSide = longSide }

  func paint(_ frame: Frame) throws(ImageError) -> PixelBuffer {
    let zoom = frame.settings.digitalZoom
    let color = ColorDescription(matrix: .bt709, range: .full)
    let size = size(of: frame.orientation.capture.applied(to: frame.image.format.size), zoom: zoom)
    let buffer = try pool.makeBuffer(ImageFormat(pixelFormat: .bgra, size: size, color: color))
    renderer.exposureBias = frame.settings.digitalExposureBias
    try renderer.render(frame.image, orientation: frame.orientation.capture, zoom: zoom, into: buffer)
    return buffer
  }

  /// The size of the output: the visible part of an upright picture, reduced to `longSide` and never enlarged.
  private func size(of upright: PixelSize, zoom: Double) -> PixelSize {
    // The renderer crops by a factor of at most 4.
    let part = 1 / min(max(zoom.isNaN ? 1 : zoom, 1), 4)
    let scale = part * min(1, Double(longSide) / max(1, Double(upright.longSide) * part))
    return PixelSize(
      width: max(1, Int((Double(upright.width) * scale).rounded())),
      height: max(1, Int((Double(upright.height) * scale).rounded())))
  }
}
