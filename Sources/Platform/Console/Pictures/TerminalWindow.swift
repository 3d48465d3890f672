import Glibc

/// The size of a terminal's window (`TIOCGWINSZ`, tty_ioctl(4)).
package struct TerminalWindow: Sendable, Hashable {
  /// The number of characters per line.
  package let columns: Int
  /// The number of lines.
  package let rows: Int
  /// The size of a character; `usual` if the terminal reports no pixels.
  package let cell: TerminalCell

  /// - Returns: nil if the descriptor is not a terminal, or reports no size.
  package init?(_ descriptor: CInt) {
    var window = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0,
      window.ws_row > 0
    else { return nil }
    columns = Int(window.ws_col)
    rows = Int(window.ws_row)
    let (wide, high) = (Int(window.ws_xpixel) / columns, Int(window.ws_ypixel) / rows)
    // Ignore implausible sizes, which some terminals report until they are drawn.
    let sides = 4...128
    cell =
      sides.contains(wide) && sides.contains(high) ? TerminalCell(width: wide, height: high) : .usual
  }
}
