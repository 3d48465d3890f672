import Foundation
import Glibc
import System

/// A pseudo-terminal that answers a program's queries as a real terminal would.
final class PlayedTerminal {
  /// The descriptor of the program's side of the pseudo-terminal.
  let descriptor: CInt
  /// The path of the program's side of the pseudo-terminal.
  let name: String
  private let master: CInt
  private let heard = Locked<[UInt8]>([])

  /// The text that the program wrote before the terminal answered.
  var question: String { String(decoding: heard.withLock { $0 }, as: UTF8.self) }

  /// Opens a pseudo-terminal.
  /// - Parameter answer: the text that the terminal sends when it is asked for its device attributes; nil if it never answers.
  init(answer: String?) throws {
    // TIOCSPTLCK unlocks the terminal, and TIOCGPTN reads its number (ioctl_tty(2)). The Glibc module lacks both.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number): (CInt, CInt) = (0, 0)
    guard master >= 0, ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw POSIXError(.ENODEV)
    }
    name = "/dev/pts/\(number)"
    descriptor = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(.ENODEV) }
    var window = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 800, ws_ypixel: 480)
    _ = ioctl(master, UInt(TIOCSWINSZ), &window)
    if let answer { play(answer) }
  }

  deinit {
    close(descriptor)
    close(master)
  }

  /// The terminal's local modes, such as line editing and echo.
  var modes: tcflag_t {
    var mode = termios()
    tcgetattr(descriptor, &mode)
    return mode.c_lflag
  }

  private func play(_ answer: String) {
    let (master, told) = (dup(master), heard)
    Thread.detachNewThread {
      var heard: [UInt8] = []
      while !heard.ends(with: Array("\u{1B}[c".utf8)) {
        var part = [UInt8](repeating: 0, count: 64)
        let count = read(master, &part, part.count)
        guard count > 0 else { break }
        heard += part.prefix(count)
      }
      let whole = heard
      told.withLock { $0 = whole }
      let bytes = Array(answer.utf8)
      _ = write(master, bytes, bytes.count)
      close(master)
    }
  }
}

extension [UInt8] {
  fileprivate func ends(with end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }
}
