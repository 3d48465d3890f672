import Foundation
import Glibc

/// Programs that run concurrently in time slices: while one of them runs, the others are stopped (SIGSTOP).
/// Changes of the machine's speed then affect all of them alike, so that their processor times can be
/// compared to a few parts in a thousand.
package struct ProcessSlices {
  /// The process numbers of the children, in the order of their slices. The caller reaps them.
  private let children: [CInt]
  /// The length of a slice.
  private let slice: Duration

  package init(children: [CInt], slice: Duration = .milliseconds(20)) {
    self.children = children
    self.slice = slice
  }

  /// The number of slices after which the child processes of each program are listed anew. Listing takes
  /// time, so it is not done for every slice.
  private static let looks = 10

  /// Blocks until all programs have ended.
  /// - Parameter wish: returns the signal to send to all programs, 0 for none. After the first signal no
  ///   program is stopped any more, so that each one receives it. A different signal is sent as well: SIGKILL
  ///   may follow SIGTERM.
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

  /// Whether the child has not ended yet. Does not reap it.
  private static func isRunning(_ child: CInt) -> Bool {
    var info = siginfo_t()
    return waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT | WNOHANG) == 0
      && info._sifields._kill.si_pid == 0
  }

  private static func send(_ signal: CInt, _ family: [CInt]) {
    for process in family { kill(process, signal) }
  }

  /// The maximum depth of a process tree. `bench` starts no deeper trees.
  private static let deepest = 8

  /// The process and all its descendants, as /proc lists them. Only the process itself if /proc has no lists
  /// of children.
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
