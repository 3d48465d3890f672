import Foundation
import Glibc

/// A reading of who has had the processors so far.
///
/// On a machine of its own, from `/proc/stat` and what the system says of this process and those it started. Inside the device lab,
/// where the processor is emulated, from the `/proc` of the machine outside: there the emulator and all that runs in it, the cameras
/// too, are ours, and what takes the processors from it cannot be seen inside.
struct ProcessorLoad: Sendable {
  /// Seconds in which any processor of the machine was busy, or was taken by its host.
  let busy: Double
  /// Seconds that were ours.
  let own: Double
  let time: ContinuousClock.Instant
  /// Of the machine.
  var processors = ProcessInfo.processInfo.activeProcessorCount

  /// The system counts in hundredths of a second; a shorter time cannot be told from rounding.
  static let least = Duration.milliseconds(500)
  /// The environment's name for the folder in which the lab shows the `/proc` of the machine outside.
  static let outsideName = "SWIFTWING_OUTSIDE"

  /// As `read(root:)`, of the machine outside where the environment names its `/proc`.
  static func current() -> ProcessorLoad? {
    ProcessInfo.processInfo.environment[outsideName].flatMap { outside($0) } ?? read()
  }

  /// nil where the system does not tell.
  static func read(root: String = "") -> ProcessorLoad? {
    let tree = ProcessTree(root: root, inherited: ProcessTree.found)
    guard let total = SystemTicks(file: root + "/proc/stat") else { return nil }
    return ProcessorLoad(
      busy: total.busy / ticksPerSecond,
      own: seconds(RUSAGE_SELF) + seconds(RUSAGE_CHILDREN) + tree.ticks / ticksPerSecond,
      time: .now)
  }

  /// - Parameter folder: the other machine's `/proc`, in which `self` is the emulator.
  static func outside(_ folder: String) -> ProcessorLoad? {
    guard let total = SystemTicks(file: folder + "/stat"),
      let own = ProcessTree.ticks(ofProcess: folder + "/self/stat")
    else { return nil }
    return ProcessorLoad(
      busy: total.busy / ticksPerSecond, own: own / ticksPerSecond, time: .now, processors: total.processors)
  }

  /// The part of all processors that other programs took since `start`, 0...1; nil for less than half a second.
  func others(since start: ProcessorLoad) -> Double? {
    guard time - start.time >= Self.least else { return nil }
    let elapsed = (time - start.time) / .seconds(1) * Double(processors)
    return min(1, max(0, (busy - start.busy - (own - start.own)) / elapsed))
  }

  /// The same on both sides of the lab: 100 in every Linux of today.
  private static var ticksPerSecond: Double { Double(sysconf(Int32(_SC_CLK_TCK))) }

  private static func seconds(_ who: __rusage_who) -> Double {
    var usage = rusage()
    guard getrusage(Int32(truncatingIfNeeded: who.rawValue), &usage) == 0 else { return 0 }
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }
}

/// What `/proc/stat` says of all processors together.
private struct SystemTicks {
  let busy: Double
  let processors: Int

  init?(file: String) {
    guard let lines = SystemFile.text(file)?.split(separator: "\n"), let first = lines.first,
      first.hasPrefix("cpu ")
    else { return nil }
    let ticks = first.split(separator: " ").dropFirst().map { Double($0) ?? 0 }
    guard ticks.count >= 8 else { return nil }
    // user, nice, system, irq, softirq and steal; idle and iowait are not.
    busy = [0, 1, 2, 5, 6, 7].reduce(0) { $0 + ticks[$1] }
    processors = max(1, lines.count { $0.hasPrefix("cpu") } - 1)
  }
}

/// The processes that this one started and has not waited for yet, and those that they started.
struct ProcessTree {
  var root = ""
  /// What this process has not started itself: children that it found when it took the place of the program that did, such as the loops
  /// of a script that burdens the machine.
  var inherited: Set<String> = []
  /// Of this process, when it was first asked for: before anything was measured.
  static let found = Set(ProcessTree().children(of: "self"))
  /// More than a scenario ever starts.
  private static let most = 1000

  /// What they were given so far, with the children that they have waited for.
  var ticks: Double {
    let ours = children(of: "self").filter { !inherited.contains($0) }
    var (waiting, seen, sum) = (ours, 0, 0.0)
    while let child = waiting.popLast(), seen < Self.most {
      seen += 1
      sum += Self.ticks(ofProcess: "\(root)/proc/\(child)/stat") ?? 0
      waiting += children(of: child)
    }
    return sum
  }

  private func children(of process: String) -> [String] {
    let folder = "\(root)/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.flatMap { thread in
      SystemFile.text("\(folder)/\(thread)/children")?.split(separator: " ").map(String.init) ?? []
    }
  }

  /// utime, stime, cutime and cstime of proc(5), after the name, which may hold anything.
  static func ticks(ofProcess file: String) -> Double? {
    guard let text = SystemFile.text(file), let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[end...].split(separator: " ").dropFirst().map { Double($0) ?? 0 }
    return fields.count > 14 ? fields[11...14].reduce(0, +) : nil
  }
}
