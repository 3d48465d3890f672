import Glibc

/// The memory of this process in bytes (proc(5): `statm`). 0 if `/proc` cannot be read.
package enum ProcessMemory {
  package static var resident: Int { pages(1) }
  /// The reserved writable memory, touched or not: the memory that `RLIMIT_DATA` limits, and the stack.
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
