import Foundation
import Glibc

/// Programs that run at once, in time slices: each is stopped while another one runs. A change in the load of the machine then affects all of them
/// alike, and their processor times can be compared to a few in a thousand.
package struct ProcessSlices {
  /// The children, in the order of their slices. The caller reaps them.
  private let children: [CInt]
  /// The length of a slice.
  private let slice: Duration

  package init(children: [CInt], slice: Duration = .milliseconds(20)) {
    self.children = children
    self.slice = slice
  }

  /// Number of slices after which the descendants of the children are read again. Reading them takes time itself.
  private static let looks = 10

  /// Runs the children in turn. Returns when all have ended.
  /// - Parameter wish: returns the signal to send to all of them, 0 for none. From the first signal on, no child is stopped, so that the signal has
  ///   its effect. Another signal later is sent too, for a child that ignores the first.
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

  /// Returns whether a child has not ended yet. Does not reap it.
  private static func isRunning(_ child: CInt) -> Bool {
    var info = siginfo_t()
    return waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT | WNOHANG) == 0
      && info._sifields._kill.si_pid == 0
  }

  private static func send(_ signal: CInt, _ family: [CInt]) {
    for process in family { kill(process, signal) }
  }

  /// Maximum depth of the descendants that are found. No bench starts deeper ones.
  private static let deepest = 8

  /// Returns a process and all its descendants, as the kernel lists them. Only the process itself if the kernel has no such list.
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
