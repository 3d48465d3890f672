import Glibc
import System

/// A terminal that hands over each byte as it comes, shows nothing of it and makes no signals of keys. One at a time; whoever ends the
/// program restores it.
enum QuietTerminal {
  private struct Held: Sendable {
    var descriptor: CInt
    var mode: termios
  }

  private static let held = Locked<Held?>(nil)

  /// - Returns: what `body` does; nil when the terminal cannot be made quiet, or is already.
  static func during<Result>(_ descriptor: CInt, _ body: () -> Result) -> Result? {
    var mode = termios()
    guard tcgetattr(descriptor, &mode) == 0 else { return nil }
    var quiet = mode
    quiet.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    let isQuiet = held.withLock { held in
      guard held == nil, tcsetattr(descriptor, TCSANOW, &quiet) == 0 else { return false }
      held = Held(descriptor: descriptor, mode: mode)
      return true
    }
    guard isQuiet else { return nil }
    defer { restore() }
    return body()
  }

  /// Makes a terminal that is quiet what it was before. Safe from any thread.
  static func restore() {
    held.withLock { held in
      guard var before = held else { return }
      tcsetattr(before.descriptor, TCSANOW, &before.mode)
      held = nil
    }
  }
}
