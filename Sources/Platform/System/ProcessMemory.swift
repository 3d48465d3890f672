import Glibc

/// What this process holds of the machine's memory, bytes; 0 where `/proc` cannot be read (proc(5): `statm`).
package enum ProcessMemory {
  /// What is in memory.
  package static var resident: Int { pages(1) }
  /// What it has reserved and may write, touched or not: what `RLIMIT_DATA` limits, and the stack.
  package static var reserved: Int { pages(5) }

  private static func pages(_ field: Int) -> Int {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    let text = String(unsafeUninitializedCapacity: 256) { max(read(descriptor, $0.baseAddress, 256), 0) }
    let fields = text.split(separator: " ")
    return (fields.count > field ? Int(fields[field]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
