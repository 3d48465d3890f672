import Capture
import Imagery
import System

/// Examines the analysis pictures and presses the shutter, one press at a time.
final class ShutterWatcher: Sendable {
  /// The longer side of the examined pictures, in pixels.
  static let longSide = 256

  private struct State {
    var shutter = AutomaticShutter()
    var isPressing = false
  }

  private let state = Locked(State())
  private let press: @Sendable () async -> Bool

  /// - Parameter press: takes a photo, and returns whether that succeeded. If it did not, the view still counts as new, so a later picture calls
  ///   `press` again.
  init(press: @escaping @Sendable () async -> Bool) { self.press = press }

  /// Called on the analysis thread, at most 30 times a second (LAT-4).
  func look(at picture: AnalysisPicture) {
    guard
      let luma = try? ImageConverter(pool: PixelBufferPool()).convert(
        picture.image, to: .grey, color: .jpeg)
    else { return }
    let isDue = state.withLock { state in
      let isDue = state.shutter.note(luma, at: picture.frame.exposureTime)
      guard isDue, !state.isPressing else { return false }
      state.isPressing = true
      state.shutter.notePress()
      return true
    }
    guard isDue else { return }
    Task { [self] in
      let isTaken = await press()
      state.withLock { state in
        state.isPressing = false
        if !isTaken { state.shutter.noteRefusal() }
      }
    }
  }
}
