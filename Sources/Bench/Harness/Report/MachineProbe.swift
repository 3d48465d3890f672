import Foundation
import Glibc

extension RunEnvironment {
  /// Probes this machine. Takes about 50 ms, for the yardstick.
  public static func current() -> RunEnvironment { MachineProbe().environment() }

  /// Returns the differences between two machines, as clauses. Empty if runs made on them may be compared.
  public func differences(from other: RunEnvironment) -> [String] {
    let pairs = [
      ("architecture", architecture, other.architecture), ("cpu", cpu, other.cpu),
      ("cores", "\(cores)", "\(other.cores)"), ("kernel", kernel, other.kernel),
      ("memory", "\(memoryGiB) GiB", "\(other.memoryGiB) GiB"), ("isolation", isolation, other.isolation),
      ("build", build, other.build),
    ]
    return pairs.filter { $0.1 != $0.2 }.map { "\($0.0) is \($0.1), was \($0.2)" }
  }
}

/// The machine's properties, read from Linux. `root` is another folder in tests.
struct MachineProbe {
  var root = ""

  func environment() -> RunEnvironment {
    var environment = RunEnvironment(
      fingerprint: "", architecture: architecture, cpu: processor,
      cores: ProcessInfo.processInfo.activeProcessorCount,
      kernel: kernel, memoryGiB: memoryGiB, isolation: isolation, build: Self.build, governor: governor,
      load: load,
      yardstick: Yardstick.measure(), warnings: [])
    environment.fingerprint = [
      environment.architecture, environment.cpu, "\(environment.cores) cores", "Linux \(environment.kernel)",
      "\(environment.memoryGiB) GiB", environment.isolation, environment.build,
    ].joined(separator: " · ")
    environment.warnings = Self.warnings(environment)
    return environment
  }

  static func warnings(_ environment: RunEnvironment) -> [String] {
    var warnings: [String] = []
    if environment.load > Double(environment.cores) / 2 {
      let load = Figure.number(environment.load)
      warnings.append("The machine was busy when the run began: load \(load) on \(environment.cores) cores.")
    }
    if let governor = environment.governor, governor != "performance" {
      warnings.append("The frequency governor is \(governor), so clock speed follows load.")
    }
    if environment.build == "debug" { warnings.append("This is a debug build: its times mean nothing.") }
    if environment.isolation.contains("virtual machine") {
      warnings.append("A virtual machine shares its cores: expect noise from neighbours.")
    }
    return warnings
  }

  static var build: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  private var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "aarch64"
    #else
      "other"
    #endif
  }

  private func read(_ path: String) -> String {
    SystemFile.text(root + path)?.trimmingCharacters(
      in: .whitespacesAndNewlines) ?? ""
  }

  /// Returns the value after `key` and a colon in a `/proc` table.
  private func field(_ key: String, in path: String) -> String? {
    let line = read(path).split(separator: "\n").first { $0.hasPrefix(key) }
    return line?.split(separator: ":", maxSplits: 1).last?.trimmingCharacters(in: .whitespaces)
  }

  /// The name of the processor. Linux has names for x86; for Arm it has numbers, and the name of the board if a device tree describes the machine.
  var processor: String {
    if let name = field("model name", in: "/proc/cpuinfo") { return name }
    let board = read("/proc/device-tree/model").filter { $0 != "\0" }
    let numbers = ["CPU implementer", "CPU part"].compactMap { field($0, in: "/proc/cpuinfo") }
    let words = [board, numbers.joined(separator: "/")].filter { !$0.isEmpty }
    return words.isEmpty ? "unknown" : words.joined(separator: " ")
  }

  private var kernel: String {
    read("/proc/sys/kernel/osrelease").split(separator: ".").prefix(2).joined(separator: ".")
  }

  /// The memory, rounded up to a power of two, so that the kernel's own share does not matter.
  private var memoryGiB: Int {
    let kilobytes =
      field("MemTotal", in: "/proc/meminfo")?.split(separator: " ").first.flatMap { Double($0) } ?? 0
    return kilobytes > 0 ? 1 << max(0, Int(log2(kilobytes / 1_048_576).rounded(.up))) : 0
  }

  private var governor: String? {
    let name = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    return name.isEmpty ? nil : name
  }

  private var load: Double { read("/proc/loadavg").split(separator: " ").first.flatMap { Double($0) } ?? 0 }

  private var isolation: String {
    let flags = field("flags", in: "/proc/cpuinfo") ?? ""
    let inContainer =
      ["/.dockerenv", "/run/.containerenv"].contains { FileManager.default.fileExists(atPath: root + $0) }
      || read("/proc/1/cgroup").contains("docker") || read("/proc/1/cgroup").contains("kubepods")
    let parts = [
      flags.split(separator: " ").contains("hypervisor") ? "virtual machine" : nil,
      inContainer ? "container" : nil,
    ]
    let found = parts.compactMap { $0 }
    return found.isEmpty ? "none" : found.joined(separator: ", ")
  }
}
