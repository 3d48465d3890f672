public import Imagery
import Log
public import System

/// Draws the latest frame on a surface, turned as the device was held, edge to edge.
///
/// ```swift
/// let surface = OffscreenSurface(size: PixelSize(width: 1280, height: 720))
/// let preview = PreviewOutput(surface: surface) { print($0.frame.sequence, $0.presentedTime) }
/// await session.add(preview)
/// ```
///
/// AVFoundation's counterpart is `AVCaptureVideoPreviewLayer` with `videoGravity = .resizeAspectFill`.
public final class PreviewOutput: FrameOutput, PictureJudge {
  /// The numbers of frames by their fate, since the output was made.
  public struct Counts: Hashable, Sendable {
    /// The number of pictures that the surface showed.
    public var presented = 0
    /// The number of frames that a newer one replaced before they were drawn.
    public var replaced = 0
    /// The number of frames that could not be drawn (corrupt pictures).
    public var failed = 0
  }

  private let clock: any CaptureClock
  private let worker: OutputWorker<Frame>
  private let counts: SharedCounts
  private let zoomFactor: SharedZoom
  private let chosenLook: SharedLook
  private let verdicts = VerdictChannel()
  private let lock = Locked<Rotation?>(nil)

  /// - Parameters:
  ///   - surface: the surface to draw on.
  ///   - onPresented: called for every shown picture, on the preview thread.
  public init(
    surface: any PreviewSurface, clock: any CaptureClock = SystemClock(),
    onPresented: @escaping @Sendable (PresentedPicture) -> Void = { _ in }
  ) {
    let (counts, zoom, look) = (SharedCounts(), SharedZoom(), SharedLook())
    let painter = PreviewPainter(surface: surface, clock: clock, verdicts: verdicts, onPresented: onPresented)
    self.clock = clock
    self.counts = counts
    zoomFactor = zoom
    chosenLook = look
    worker = OutputWorker(
      name: "preview", priority: .preview, clock: clock, capacity: 1, overflow: .replaceOldest,
      onReplaced: { [verdicts] in verdicts.noteLate($0, "preview: late") }, onEnd: { painter.rest() },
      work: { frame in
        let isShown = painter.paint(
          frame, zoom: zoom.value.withLock { $0 }, look: look.value.withLock { $0 })
        counts.value.withLock {
          $0.presented += isShown ? 1 : 0
          $0.failed += isShown ? 0 : 1
        }
      })
  }

  /// The digital zoom of this surface alone, 1...4, in addition to the camera's (``CaptureSession/set(_:to:)`` of `zoom`); takes effect on the
  /// next frame. The product of both is at most 4.
  public var zoom: Double {
    get { zoomFactor.value.withLock { $0 } }
    set { zoomFactor.value.withLock { $0 = min(max(newValue, 1), 4) } }
  }

  /// The conversion of colours, for example from a log camera's grey picture to a colourful one; nil, the default, keeps the camera's
  /// colours. Takes effect on the next frame. It applies neither to photos nor to recordings, which have looks of their own.
  public var look: ColorLookup? {
    get { chosenLook.value.withLock { $0 } }
    set { chosenLook.value.withLock { $0 = newValue } }
  }

  /// The device angle to draw for, whatever the real angle is; nil, the default, follows the device.
  /// Takes effect on the next frame. It takes precedence over the lock of the session's `RotationCoordinator`, so each surface may have its own.
  public var angleLock: Rotation? {
    get { lock.withLock { $0 } }
    set { lock.withLock { $0 = newValue } }
  }

  /// The counts of frames so far. `CaptureSession.drops()` reports drops as they happen.
  public var totals: Counts {
    var totals = counts.value.withLock { $0 }
    totals.replaced = worker.replacedCount
    return totals
  }

  /// Takes the frame, which replaces a waiting one. The session calls it.
  public func receive(_ frame: Frame) { worker.offer(frame) }
  func report(to record: PictureRecord, _ drops: DropLedger) { verdicts.connect(self, to: record, drops) }
  /// Starts the preview thread; the session calls it.
  public func begin() throws(ResourceShortage) { try worker.begin() }
  /// Ends the preview thread; the surface keeps its picture. The session calls it.
  public func end() { worker.end() }

  private final class SharedCounts: Sendable { let value = Locked(Counts()) }
  private final class SharedZoom: Sendable { let value = Locked(1.0) }
  private final class SharedLook: Sendable { let value = Locked<ColorLookup?>(nil) }
}

/// The work of the preview thread.
///
/// `@unchecked Sendable`: created before the thread begins, then used by that thread alone.
private final class PreviewPainter: @unchecked Sendable {
  private let renderer = PreviewRenderer()
  private let surface: any PreviewSurface
  private let clock: any CaptureClock
  private let verdicts: VerdictChannel
  private let onPresented: @Sendable (PresentedPicture) -> Void

  init(
    surface: any PreviewSurface, clock: any CaptureClock, verdicts: VerdictChannel,
    onPresented: @escaping @Sendable (PresentedPicture) -> Void
  ) {
    self.surface = surface
    self.clock = clock
    self.verdicts = verdicts
    self.onPresented = onPresented
  }

  /// Called when the thread ends.
  func rest() { renderer.rest() }

  func paint(_ frame: Frame, zoom: Double, look: ColorLookup?) -> Bool {
    let (began, start) = (clock.now(), Log.frame.began())
    if isCopied(frame, zoom: zoom, look: look), let shown = showUndrawn(frame, began) {
      verdicts.send(.decoded, of: frame)
      Log.fate("preview: presented undrawn", of: frame)
      onPresented(shown)
      return true
    }
    guard let buffer = surface.makeBuffer() else {
      verdicts.send(.untried, of: frame)
      Log.fate("preview: no buffer", of: frame)
      return false
    }
    renderer.look = look
    renderer.exposureBias = frame.settings.digitalExposureBias
    do throws(ImageError) {
      let zoom = zoom * frame.settings.digitalZoom
      try renderer.render(frame.image, orientation: frame.orientation.preview, zoom: zoom, into: buffer)
    } catch {
      verdicts.send(PictureVerdict(error), of: frame)
      Log.fate("preview: undecodable", of: frame)
      return false
    }
    verdicts.send(.decoded, of: frame)
    let facts = FrameFacts(frame)
    Log.frame.event("preview: drawn", began: start, frame: frame.sequence)
    let presented = surface.present(buffer, frame: facts)
    Log.fate("preview: presented", of: frame)
    onPresented(
      PresentedPicture(image: buffer, frame: facts, renderTime: began, presentedTime: presented))
    return true
  }

  /// Whether drawing the frame on a surface of its size would only copy it.
  private func isCopied(_ frame: Frame, zoom: Double, look: ColorLookup?) -> Bool {
    let (image, settings) = (frame.image, frame.settings)
    let isRGB = image.format.pixelFormat == .bgra || image.format.pixelFormat == .rgba
    return isRGB && image.format.color.range == .full && !image.isInterlaced
      && frame.orientation.preview == .upright && zoom == 1 && look == nil
      && settings.digitalZoom == 1 && settings.digitalExposureBias == 0
  }

  private func showUndrawn(_ frame: Frame, _ began: MonotonicTime) -> PresentedPicture? {
    let facts = FrameFacts(frame)
    guard let presented = surface.presentUndrawn(frame.image, frame: facts) else { return nil }
    return PresentedPicture(image: frame.image, frame: facts, renderTime: began, presentedTime: presented)
  }
}
