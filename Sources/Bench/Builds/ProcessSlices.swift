import Foundation
import Glibc

/// Programs that run at once, by slices of time: each is held where it stands while another one runs. What the machine does from second to
/// second then happens to all of them, and their processor times can be compared to a few in a thousand.
package struct ProcessSlices {
  /// The children, in the order of their slices. Somebody else takes their ends.
  private let children: [CInt]
  /// How long each runs before the next does.
  private let slice: Duration

  package init(children: [CInt], slice: Duration = .milliseconds(20)) {
    self.children = children
    self.slice = slice
  }

  /// After so many slices it is looked again who has started whom: that takes time itself.
  private static let looks = 10

  /// Blocks until all have ended.
  /// - Parameter wish: a signal for all of them, 0 for none. From then on none is held, so that it reaches them; another wish is sent
  ///   too, so that who does not hear one can be given a stronger one.
  package func run(sending wish: () -> CInt = { 0 }) {
    var (families, sent) = ([[CInt]](), CInt(0))
    for child in children.dropFirst() { Self.send(SIGSTOP, [child]) }
    for turn in 0... {
      usleep(UInt32(slice.microseconds))
      let alive = children.filter(Self.isRunning)
      if alive.isEmpty { return }
      let asked = wish()
      if turn % Self.looks == 0 || families.count != alive.count || asked != sent {
        families = alive.map { Self.family($0) }
      }
      if asked != sent { Self.send(asked, alive) }
      sent = asked
      let next = turn % alive.count
      let isHeld = { index in asked == 0 && index != next }
      for (index, family) in families.enumerated() { Self.send(isHeld(index) ? SIGSTOP : SIGCONT, family) }
    }
  }

  /// Whether it has not ended yet; its end is left to whoever waits for it.
  private static func isRunning(_ child: CInt) -> Bool {
    var info = siginfo_t()
    return waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT | WNOHANG) == 0
      && info._sifields._kill.si_pid == 0
  }

  private static func send(_ signal: CInt, _ family: [CInt]) {
    for process in family { kill(process, signal) }
  }

  /// Deeper families are no bench's.
  private static let deepest = 8

  /// A process, those that it has started, and so on, as the kernel lists them; itself alone where the kernel does not.
  static func family(_ process: CInt, depth: Int = 0) -> [CInt] {
    guard depth < deepest else { return [process] }
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    let children = tasks.flatMap { task in
      let list = FileManager.default.contents(atPath: "/proc/\(process)/task/\(task)/children") ?? Data()
      return String(decoding: list, as: UTF8.self).split(separator: " ").compactMap { CInt($0) }
    }
    return [process] + children.flatMap { family($0, depth: depth + 1) }
  }
}

extension Duration {
  fileprivate var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
