import Foundation
import Glibc

/// A reading of who has had the processors so far, from `/proc/stat` and `getrusage(2)`.
struct ProcessorUse {
  /// Seconds in which any processor of the machine was busy, or was taken by its host.
  let busy: Double
  /// Seconds that this process and the children it has waited for were given.
  let own: Double
  let time: ContinuousClock.Instant

  /// nil where the system does not tell.
  static func read(root: String = "") -> ProcessorUse? {
    guard let text = try? String(contentsOfFile: root + "/proc/stat", encoding: .utf8),
      let ticks = busyTicks(text)
    else { return nil }
    return ProcessorUse(
      busy: ticks / Double(sysconf(Int32(_SC_CLK_TCK))), own: seconds(RUSAGE_SELF) + seconds(RUSAGE_CHILDREN),
      time: .now)
  }

  /// The part of all processors that other programs took since `start`, 0...1; nil for less than half a second, because the system
  /// counts in hundredths.
  func others(since start: ProcessorUse) -> Double? {
    guard time - start.time >= .milliseconds(500) else { return nil }
    let elapsed = (time - start.time) / .seconds(1) * Double(ProcessInfo.processInfo.activeProcessorCount)
    return min(1, max(0, (busy - start.busy - (own - start.own)) / elapsed))
  }

  /// user, nice, system, irq, softirq and steal of the first line; idle and iowait are not.
  private static func busyTicks(_ text: String) -> Double? {
    guard let line = text.split(separator: "\n").first, line.hasPrefix("cpu ") else { return nil }
    let ticks = line.split(separator: " ").dropFirst().map { Double($0) ?? 0 }
    guard ticks.count >= 8 else { return nil }
    return [0, 1, 2, 5, 6, 7].reduce(0) { $0 + ticks[$1] }
  }

  private static func seconds(_ who: __rusage_who) -> Double {
    var usage = rusage()
    guard getrusage(Int32(truncatingIfNeeded: who.rawValue), &usage) == 0 else { return 0 }
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
  }
}
