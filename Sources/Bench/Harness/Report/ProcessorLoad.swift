import Foundation
import Glibc

/// A reading of the processor time used so far, by all programs and by this one.
///
/// On an ordinary machine, it is read from `/proc/stat` and from the times of this process and its descendants. Inside the device lab, where the
/// processor is emulated, it is read from the `/proc` of the host: there the emulator with everything that runs in it, including the cameras,
/// counts as this program. Programs that take processor time from the emulator cannot be seen from inside.
struct ProcessorLoad: Sendable {
  /// Seconds in which processors were busy or were stolen by the machine's host, summed over the processors that this program may use.
  let busy: Double
  /// Processor seconds of this program, its descendants included.
  let own: Double
  let time: ContinuousClock.Instant
  var processors = ProcessInfo.processInfo.activeProcessorCount

  /// Shortest time that is evaluated: the system counts in hundredths of a second, so the share of a shorter time is dominated by rounding.
  static let least = Duration.milliseconds(500)
  /// The environment variable with the folder in which the lab shows the `/proc` of the host.
  static let outsideName = "SWIFTWING_OUTSIDE"

  /// Reads the load of the host if the environment names its `/proc`, else that of this machine as `read(root:)` does.
  static func current() -> ProcessorLoad? {
    ProcessInfo.processInfo.environment[outsideName].flatMap { outside($0) } ?? read()
  }

  /// Reads the load of this machine. Nil if the system does not report it.
  static func read(root: String = "") -> ProcessorLoad? {
    let tree = ProcessTree(root: root, inherited: ProcessTree.found)
    guard let total = SystemTicks(file: root + "/proc/stat", only: allowedProcessors(root: root)) else {
      return nil
    }
    return ProcessorLoad(
      busy: total.busy / ticksPerSecond,
      own: seconds(RUSAGE_SELF) + seconds(RUSAGE_CHILDREN) + tree.ticks / ticksPerSecond,
      time: .now, processors: total.processors)
  }

  /// Returns the numbers of the processors that this program may use: `Cpus_allowed_list` of proc(5), such as `0-3,8`. Empty if unknown.
  private static func allowedProcessors(root: String) -> Set<Int> {
    let name = "Cpus_allowed_list:"
    let lines = SystemFile.text(root + "/proc/self/status")?.split(separator: "\n") ?? []
    guard let list = lines.first(where: { $0.hasPrefix(name) })?.dropFirst(name.count) else { return [] }
    let ranges = list.trimmingCharacters(in: .whitespaces).split(separator: ",").map { part in
      part.split(separator: "-").map { Int($0) }
    }
    return ranges.reduce(into: []) { all, ends in
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last, last < 1 << 16 else {
        return
      }
      all.formUnion(first...last)
    }
  }

  /// - Parameter folder: the `/proc` of the host, in which `self` is the emulator.
  static func outside(_ folder: String) -> ProcessorLoad? {
    guard let total = SystemTicks(file: folder + "/stat"),
      let own = ProcessTree.ticks(ofProcess: folder + "/self/stat")
    else { return nil }
    return ProcessorLoad(
      busy: total.busy / ticksPerSecond, own: own / ticksPerSecond, time: .now, processors: total.processors)
  }

  /// Returns the share of all processors that other programs used since `start`, 0...1. Nil for less than half a second.
  func others(since start: ProcessorLoad) -> Double? {
    guard time - start.time >= Self.least else { return nil }
    let elapsed = (time - start.time) / .seconds(1) * Double(processors)
    return min(1, max(0, (busy - start.busy - (own - start.own)) / elapsed))
  }

  /// Clock ticks per second. Equal inside and outside of the lab: 100 in every current Linux.
  private static var ticksPerSecond: Double { Double(sysconf(Int32(_SC_CLK_TCK))) }

  private static func seconds(_ who: __rusage_who) -> Double {
    var usage = rusage()
    guard getrusage(Int32(truncatingIfNeeded: who.rawValue), &usage) == 0 else { return 0 }
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }
}

/// The times of the processors together, from `/proc/stat`.
private struct SystemTicks {
  let busy: Double
  let processors: Int

  /// - Parameter only: the numbers of the processors that count: other programs on the others take nothing from this program. Ignored unless the
  ///   file has all of them, as containers number theirs anew.
  init?(file: String, only: Set<Int> = []) {
    guard let lines = SystemFile.text(file)?.split(separator: "\n"), let first = lines.first,
      first.hasPrefix("cpu ")
    else { return nil }
    let each = lines.dropFirst().filter { $0.hasPrefix("cpu") }
    let allowed = each.filter { line in
      Int(line.dropFirst(3).prefix { $0 != " " }).map(only.contains) ?? false
    }
    let isPart = !only.isEmpty && allowed.count == only.count && allowed.count < each.count
    let sums = (isPart ? allowed : [first]).map(Self.busy)
    guard sums.allSatisfy({ $0 != nil }) else { return nil }
    busy = sums.reduce(0) { $0 + ($1 ?? 0) }
    processors = max(1, isPart ? allowed.count : each.count)
  }

  /// Returns the busy ticks of a line: user, nice, system, irq, softirq and steal count; idle and iowait do not.
  private static func busy(_ line: Substring) -> Double? {
    let ticks = line.split(separator: " ").dropFirst().map { Double($0) ?? 0 }
    return ticks.count >= 8 ? [0, 1, 2, 5, 6, 7].reduce(0) { $0 + ticks[$1] } : nil
  }
}

/// The processes that this process has started and not waited for yet, with their descendants.
struct ProcessTree {
  var root = ""
  /// Children that this process did not start, but inherited when it replaced the program that started them (exec), for example the loops of a script
  /// that loads the machine.
  var inherited: Set<String> = []
  /// The children of this process at the first access, before anything was measured.
  static let found = Set(ProcessTree().children(of: "self"))
  /// Maximum number of processes that are read: more than any scenario starts.
  private static let most = 1000

  /// The processor time of the processes so far in clock ticks, including the children that they have waited for.
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

  /// Returns utime, stime, cutime and cstime of proc(5), summed. In the file, these follow the name of the process, which may contain any
  /// character.
  static func ticks(ofProcess file: String) -> Double? {
    guard let text = SystemFile.text(file), let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[end...].split(separator: " ").dropFirst().map { Double($0) ?? 0 }
    return fields.count > 14 ? fields[11...14].reduce(0, +) : nil
  }
}
