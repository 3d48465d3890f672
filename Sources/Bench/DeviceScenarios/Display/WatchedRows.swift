import Capture
import Charts
import Display
import Imagery
import System

/// A surface that copies the numbers of each picture when it is shown, and compares them with the picture when it is replaced. A change means that
/// somebody drew into memory while the display showed it, which is visible as a tear.
final class WatchedRows: PreviewSurface {
  struct Shown: Sendable {
    let frame: FrameFacts
    let presentedTime: MonotonicTime
    /// The kernel's data on the flip. Nil if the surface is not a display.
    let flip: Flip?
    /// Whether the picture was in the camera's own memory.
    let isUndrawn: Bool
    /// The numbers. Nil if the column is not inside the picture.
    let strip: RowStrip?
  }

  private struct State {
    var shown: [Shown] = []
    /// Number of pictures that were checked when they were replaced.
    var watched = 0
    /// Number of checked pictures whose numbers had changed.
    var changed = 0
    var current: PixelBuffer?
  }

  private let base: any PreviewSurface
  private let column: [ChartRect]
  private let state = Locked(State())

  init(_ base: any PreviewSurface, column: [ChartRect]) {
    self.base = base
    self.column = column
  }

  var count: Int { state.withLock { $0.shown.count } }
  var shown: [Shown] { state.withLock { $0.shown } }
  var watched: Int { state.withLock { $0.watched } }
  var changed: Int { state.withLock { $0.changed } }
  /// The picture that is being shown.
  var current: PixelBuffer? { state.withLock { $0.current } }

  func makeBuffer() -> PixelBuffer? { base.makeBuffer() }

  func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime {
    lookAgain()
    let time = base.present(image, frame: frame)
    note(image, frame, time: time, isUndrawn: false)
    return time
  }

  func presentUndrawn(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime? {
    lookAgain()
    guard let time = base.presentUndrawn(image, frame: frame) else { return nil }
    note(image, frame, time: time, isUndrawn: true)
    return time
  }

  private func note(_ image: PixelBuffer, _ frame: FrameFacts, time: MonotonicTime, isUndrawn: Bool) {
    let shown = Shown(
      frame: frame, presentedTime: time, flip: (base as? DisplaySurface)?.lastFlip, isUndrawn: isUndrawn,
      strip: RowStrip(image, column: column))
    state.withLock { state in
      state.shown.append(shown)
      state.current = image
    }
  }

  /// Checks the picture that is still being shown.
  private func lookAgain() {
    let (image, before) = state.withLock { ($0.current, $0.shown.last?.strip) }
    guard let image, let before, let now = RowStrip(image, column: column) else { return }
    state.withLock { state in
      state.watched += 1
      state.changed += now.pixels == before.pixels ? 0 : 1
      state.current = nil
    }
  }

  /// Releases the last picture. Call it when nothing is shown any more.
  func end() { state.withLock { $0.current = nil } }
}
