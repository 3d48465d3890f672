import Capture
import Charts
import Display
import Imagery
import Probes
import System

/// A surface whose numbers are kept: as they were when the picture began to be shown, and whether they were still the same when it was
/// replaced. What is drawn into memory while a display shows it is seen on the screen as a tear.
final class WatchedRows: PreviewSurface {
  /// A picture that was shown.
  struct Shown: Sendable {
    let frame: FrameFacts
    let presentedTime: MonotonicTime
    /// What the kernel says of it; nil on a surface that is no display.
    let flip: Flip?
    /// It was the camera's own memory.
    let isUndrawn: Bool
    /// Nil where the column is not inside the picture.
    let strip: RowStrip?
  }

  private struct State {
    var shown: [Shown] = []
    /// Pictures whose rows were looked at once more at their end, and those that had changed by then.
    var watched = 0
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
  /// The picture that is shown.
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

  /// At the picture that is still shown.
  private func lookAgain() {
    let (image, before) = state.withLock { ($0.current, $0.shown.last?.strip) }
    guard let image, let before, let now = RowStrip(image, column: column) else { return }
    state.withLock { state in
      state.watched += 1
      state.changed += now.pixels == before.pixels ? 0 : 1
      state.current = nil
    }
  }

  /// Gives back the picture that it looks at: nothing is shown any more.
  func end() { state.withLock { $0.current = nil } }
}
