public import Capture
public import Imagery
import Log
public import System
import Video4Linux

/// A display as the surface of a preview: pictures are drawn into memory that the display scans out, and presented at a vblank.
///
/// ```swift
/// let surface = try DisplaySurface(try DisplayScreen(path: "/dev/dri/card0"))
/// await session.add(PreviewOutput(surface: surface) { print($0.presentedTime) })
/// // …
/// await session.stop()
/// surface.close()
/// ```
///
/// `PresentedPicture.presentedTime` is the kernel's timestamp of the vblank at which the display begins to show the picture. `present` waits for it,
/// so the preview draws the newest available frame after each vblank, and at most one frame waits.
public final class DisplaySurface: PreviewSurface {
  /// The picture that the display shows.
  private enum Shown {
    /// One of the display's own pictures, by index.
    case drawn(Int)
    /// A camera's picture, whose memory is returned when it is replaced.
    case camera(PixelBuffer, framebuffer: UInt32)
  }

  private struct State {
    var shown = Shown.drawn(0)
    var token: UInt64 = 0
    var isClosed = false
    var record: FlipRecord
    var lastFlip: Flip?
    var undrawn = 0
  }

  private let screen: DisplayScreen
  private let pictures: ScanoutPictures
  private let cameraPictures: SharedPictures
  private let state: Locked<State>
  private let clock: any CaptureClock
  private let onFailure: @Sendable (DisplayError) -> Void
  /// The time without a vblank event, in milliseconds, after which the display counts as failed.
  private static let patience: Int32 = 1000

  /// Turns the display on; it is black until the first picture.
  /// - Parameter onFailure: called once, on the preview thread, when the display has failed. `makeBuffer` then returns nil.
  public init(
    _ screen: DisplayScreen, clock: any CaptureClock = SystemClock(),
    onFailure: @escaping @Sendable (DisplayError) -> Void = { _ in }
  ) throws(DisplayError) {
    do throws(Errno) {
      pictures = try ScanoutPictures(driver: screen.driver, size: screen.mode.size)
      try screen.light(pictures.first)
    } catch {
      screen.close()
      throw DisplayError("show \(screen.mode) on \(screen.path)", error)
    }
    cameraPictures = SharedPictures(driver: screen.driver, size: screen.mode.size)
    self.screen = screen
    self.clock = clock
    self.onFailure = onFailure
    state = Locked(State(record: FlipRecord(refreshInterval: screen.mode.refreshInterval)))
  }

  /// The mode of the display.
  public var mode: DisplayMode { screen.mode }
  /// The record of flips so far.
  public var record: FlipRecord { state.withLock { $0.record } }
  /// The flip of the present picture; nil before the first.
  public var lastFlip: Flip? { state.withLock { $0.lastFlip } }

  /// The number of pictures so far that were shown from the camera's own memory, without drawing.
  public var undrawn: Int { state.withLock { $0.undrawn } }

  /// A BGRA picture in the display's own memory; nil while all are shown or held, and after `close()` or a failure.
  public func makeBuffer() -> PixelBuffer? {
    let shown = state.withLock { $0.isClosed ? nil : $0.shown }
    switch shown {
    case .drawn(let index): return pictures.lend(except: index)
    case .camera: return pictures.lend(except: nil)
    case nil: return nil
    }
  }

  /// Shows a picture from `makeBuffer`, and waits for the vblank at which the display begins to show it.
  /// - Returns: the time of that vblank; the time of the call if nothing can be shown any more.
  public func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime {
    show(image)?.vblankTime ?? clock.now()
  }

  /// Shows a camera's own picture, if it is BGRA of the display's size and the card accepts its memory (DMA-BUF). The memory returns to the camera
  /// when another picture is shown.
  /// - Returns: the time of the vblank at which it is shown; nil if it must be drawn.
  public func presentUndrawn(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime? {
    let shown = state.withLock { $0.isClosed ? nil : $0.shown }
    guard let shown else { return nil }
    let current =
      switch shown {
      case .drawn(let index): pictures.framebuffer(index)
      case .camera(_, let framebuffer): framebuffer
      }
    guard let framebuffer = cameraPictures.framebuffer(of: image, shown: current) else { return nil }
    return flip(to: framebuffer, .camera(image, framebuffer: framebuffer))?.vblankTime
  }

  /// Shows a picture that a program has drawn itself, independently of a camera's frames.
  /// - Returns: nil if the picture is not from `makeBuffer`, or if nothing can be shown any more.
  public func show(_ image: PixelBuffer) -> Flip? {
    guard let index = pictures.index(of: image) else { return nil }
    return flip(to: pictures.framebuffer(index), .drawn(index))
  }

  private func flip(to framebuffer: UInt32, _ picture: Shown) -> Flip? {
    let (requested, began) = (clock.now(), Log.display.began())
    let token = state.withLock { state -> UInt64? in
      state.token &+= 1
      return state.isClosed ? nil : state.token
    }
    guard let token else { return nil }
    do throws(Errno) { try screen.driver.flip(to: framebuffer, on: screen.crtc, token: token) } catch {
      // A card may report only here that it cannot show a camera's memory: then the picture is drawn.
      if case .camera(let image, _) = picture { cameraPictures.refuse(image) } else { fail(error) }
      return nil
    }
    do throws(Errno) {
      let event = try awaitFlip(token)
      let flip = Flip(
        requestTime: requested, vblankTime: MonotonicTime(nanoseconds: event.nanoseconds),
        sequence: event.sequence)
      let before = state.withLock { state in
        defer {
          state.shown = picture
          if case .camera = picture { state.undrawn += 1 }
          state.record.note(flip)
          state.lastFlip = flip
        }
        return state.shown
      }
      Log.display.event("flip", began: began, LogFact("vblank", event.sequence))
      // The memory of the previous picture returns to the camera now, not earlier.
      withExtendedLifetime(before) {}
      return flip
    } catch {
      fail(error)
      return nil
    }
  }

  private func awaitFlip(_ token: UInt64) throws(Errno) -> FlipEvent {
    while true {
      let events = try screen.driver.flips(within: Self.patience)
      if let ours = events.last(where: { $0.token == token }) { return ours }
      guard !events.isEmpty else { throw .noData }
    }
  }

  private func fail(_ reason: Errno) {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    guard isFirst else { return }
    Log.display.error("\(screen.path) stopped showing pictures: \(reason)")
    let action = "show a picture on \(screen.path)"
    onFailure(
      reason == .noData
        ? DisplayError(
          .failed,
          "cannot \(action): the driver reported no vblank for a second; check that the display is switched on and plugged in"
        )
        : DisplayError(action, reason))
  }

  /// Restores the former picture. Call it when nobody presents pictures any more: after the session has ended.
  public func close() {
    state.withLock { $0.isClosed = true }
    screen.close()
    cameraPictures.forget(except: nil)
    state.withLock { $0.shown = .drawn(0) }
  }
}
