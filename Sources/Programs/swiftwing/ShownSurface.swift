import Capture
import Display
import Imagery
import System

/// The surface on which `view` shows its pictures: memory, or a display.
struct ShownSurface {
  let surface: any PreviewSurface
  private let display: DisplaySurface?

  /// - Parameter onFailure: called with the exit status when the display can show nothing any more, after the reason was printed.
  init(_ options: ViewOptions, onFailure: @escaping @Sendable (Int32) -> Void) throws(DisplayError) {
    guard let card = options.display else {
      surface = OffscreenSurface(size: options.size ?? PixelSize(width: 1280, height: 720))
      display = nil
      return
    }
    let screen = try DisplayScreen(path: card, size: options.size)
    let display = try DisplaySurface(screen) { error in
      StandardLines.complain("\(error)")
      onFailure(Self.status(of: error))
    }
    surface = display
    self.display = display
  }

  var isDisplay: Bool { display != nil }

  /// The exit status of an error: 2 if another size helps, else 4, since there is no usable display.
  static func status(of error: DisplayError) -> Int32 { error.code == .noMode ? 2 : 4 }

  /// Releases the display, and prints how many flips it made and missed.
  func close(isJSON: Bool) {
    guard let display else { return }
    display.close()
    let line = FlipLine(mode: "\(display.mode)", record: display.record, undrawn: display.undrawn)
    StandardLines.say(isJSON ? line.json : line.text)
  }
}

/// The line that `view --display` prints at its end.
struct FlipLine {
  let mode: String
  let record: FlipRecord
  /// The number of pictures that were shown from the camera's own memory, without drawing.
  let undrawn: Int

  private var wait: String { tenths(record.longestWait.milliseconds) }

  var text: String {
    "\(record.flips) flips at \(mode): \(record.missed) vblanks missed, \(record.repeated) repeated, waits to \(wait) ms, \(undrawn) undrawn"
  }

  var json: String {
    """
    {"event":"display","mode":"\(mode)","flips":\(record.flips),"missed":\(record.missed),\
    "repeated":\(record.repeated),"longestWaitMilliseconds":\(wait),"undrawn":\(undrawn)}
    """
  }
}
