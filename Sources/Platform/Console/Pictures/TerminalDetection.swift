import CLinux
import Glibc

extension TerminalPicture {
  /// Determines how the terminal at a descriptor shows pictures. Queries it and waits for at most `patience`.
  /// Keys that the user presses meanwhile are lost, but ^C interrupts as usual.
  /// - Parameters:
  ///   - descriptor: the descriptor to which the picture will be written. Anything but a terminal gives `none`.
  ///   - environment: returns the process's variable of a name.
  /// - Returns: the format by the terminal's answer; without an answer, by `TERM` and other variables. `none` for `TERM=dumb`.
  package static func detect(
    on descriptor: CInt, patience: Duration = .milliseconds(500),
    environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }
  ) -> Kind {
    guard isatty(descriptor) == 1, let term = environment("TERM"), !term.isEmpty, term != "dumb" else {
      return .none
    }
    // Some terminals show a query that they do not know: Linux's console prints it, and screen shows it as a message.
    let takesOthers = term != "linux" && environment("STY") == nil
    let question = takesOthers ? TerminalAnswer.kittyQuestion : TerminalAnswer.question
    let answer = ask(descriptor, question, patience: patience)
    if answer?.isInterrupted ?? false { kill(getpid(), SIGINT) }
    return kind(answer, environment)
  }

  /// The way in which the terminal shows pictures, by its answer. Variables are used only if there is no answer, but
  /// not within tmux or screen, where they describe the terminal in which tmux or screen was started.
  static func kind(_ answer: TerminalAnswer?, _ environment: (String) -> String?) -> Kind {
    if answer?.takesKitty ?? false { return .kitty }
    if answer?.takesSixels ?? false { return .sixel }
    let isWithin = environment("TMUX") != nil || environment("STY") != nil
    if answer?.attributes == nil, !isWithin, isNamedKitty(environment) { return .kitty }
    return ["truecolor", "24bit"].contains(environment("COLORTERM")) ? .halfBlocks : .none
  }

  private static func isNamedKitty(_ environment: (String) -> String?) -> Bool {
    environment("KITTY_WINDOW_ID") != nil
      || ["xterm-kitty", "xterm-ghostty"].contains(environment("TERM"))
      || ["WezTerm", "ghostty"].contains(environment("TERM_PROGRAM"))
  }

  /// - Returns: nil if the terminal cannot be queried, because it is gone or belongs to another program at present.
  private static func ask(
    _ descriptor: CInt, _ question: [UInt8], patience: Duration
  ) -> TerminalAnswer? {
    // A background process that reads or configures the terminal would be stopped.
    let owner = tcgetpgrp(descriptor)
    guard owner < 0 || owner == getpgrp() else { return nil }
    // Open the terminal by name, since standard output may be write-only.
    var name = [CChar](repeating: 0, count: 256)
    guard ttyname_r(descriptor, &name, name.count) == 0 else { return nil }
    // Do not block: a terminal stopped by ^S accepts nothing.
    let terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    return QuietTerminal.during(terminal) {
      write(terminal, question, question.count) == question.count ? hear(terminal, patience) : nil
    } ?? nil
  }

  private static func hear(_ terminal: CInt, _ patience: Duration) -> TerminalAnswer {
    let end = ContinuousClock.now + patience
    var bytes: [UInt8] = []
    while bytes.count < TerminalAnswer.limit {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero, linux_poll_readable(terminal, Int64(left / .nanoseconds(1))) == 1 else { break }
      var part = [UInt8](repeating: 0, count: 256)
      let count = read(terminal, &part, part.count)
      guard count > 0 else { break }
      bytes += part.prefix(count)
      if TerminalAnswer(bytes).isWhole { break }
    }
    return TerminalAnswer(bytes)
  }
}
