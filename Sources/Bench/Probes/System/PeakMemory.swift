import CLinux
import Glibc
import Harness

/// The most memory that this process holds while something is done, by the kernel's count (proc(5): `VmHWM`, set back by writing 5 to
/// `clear_refs`). Other threads' memory counts too.
package enum PeakMemory {
  /// - Returns: bytes beyond what was held before; nil where the kernel does not tell.
  package static func of<Value>(_ work: () throws -> Value) rethrows -> (bytes: Int?, value: Value) {
    // What was let go and is kept for reuse would hide what is taken.
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

  /// In bytes.
  private static func field(_ name: String) -> Int? {
    let lines = (SystemFile.text("/proc/self/status") ?? "").split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("\(name):") }) else { return nil }
    return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }.map {
      $0 << 10
    }
  }
}
