import CLinux
import Glibc
import Harness

/// The peak memory of this process during some work, as counted by the kernel (proc(5): `VmHWM`, reset by writing 5 to `clear_refs`). The memory of
/// other threads counts too.
package enum PeakMemory {
  /// - Returns: the bytes beyond those held before; nil if the kernel does not report them.
  package static func of<Value>(_ work: () throws -> Value) rethrows -> (bytes: Int?, value: Value) {
    // Freed memory that is kept for reuse would hide new allocations.
    linux_trim_memory()
    guard reset(), let before = field("VmRSS") else { return (nil, try work()) }
    let value = try work()
    return (field("VmHWM").map { max(0, $0 - before) }, value)
  }

  private static func reset() -> Bool {
    let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return write(descriptor, "5", 1) == 1
  }

  /// Returns a field of `/proc/self/status`, in bytes.
  private static func field(_ name: String) -> Int? {
    let lines = (SystemFile.text("/proc/self/status") ?? "").split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("\(name):") }) else { return nil }
    return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }.map {
      $0 << 10
    }
  }
}
