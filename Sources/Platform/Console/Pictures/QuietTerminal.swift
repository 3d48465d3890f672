import Glibc
import System

/// A terminal mode that passes on each byte at once, without echo and without signals for keys. Only one
/// terminal at a time can be in this mode. Code that ends the program must call ``restore()`` first.
enum QuietTerminal {
  private struct Held: Sendable {
    var descriptor: CInt
    var mode: termios
  }

  private static let held = Locked<Held?>(nil)

  /// - Returns: the result of `body`. Nil if the terminal cannot be switched, or is switched already.
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

  /// Restores the terminal's former mode. May be called from any thread.
  static func restore() {
    held.withLock { held in
      guard var before = held else { return }
      tcsetattr(before.descriptor, TCSANOW, &before.mode)
      held = nil
    }
  }
}
