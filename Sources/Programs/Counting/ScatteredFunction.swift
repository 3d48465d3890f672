/// Functions whose own instructions depend on memory addresses rather than on the program's work: the allocator's search for a
/// free block, and the Swift runtime's probing of tables that it hashes by address. They cause nine tenths of the difference
/// between runs of one build, sometimes 5 % of a path, so their instructions are excluded. The number of allocations is a
/// separate count, and the callers' instructions are counted like others.
enum ScatteredFunction {
  /// Prefixes of the inner functions of glibc's allocator (`malloc/malloc.c`). Its entry points, such as `malloc`, are not
  /// excluded.
  private static let allocator = [
    "_int_", "unlink_chunk", "malloc_consolidate", "systrim", "sysmalloc", "alloc_perturb", "free_perturb",
  ]
  /// Parts of names in the runtime (`swift/Runtime/Concurrent.h`, `ConcurrentReadableHashMap::find`; `Metadata.cpp`,
  /// `MetadataCacheKey`).
  private static let probe = "25ConcurrentReadableHashMap"
  private static let comparison = "MetadataCacheKeyeq"

  static func contains(_ name: String, in library: String) -> Bool {
    if library.hasPrefix("libc.so") || library.hasPrefix("libc-") {
      return allocator.contains { name.hasPrefix($0) }
    }
    return name.hasPrefix("_ZN")
      && (name.contains(probe) && name.contains("4find") || name.contains(comparison))
  }
}

/// Functions of this project's own modules, as opposed to the Swift runtime, the standard library, libdispatch, packages and C
/// libraries. How often one thread waits for another depends on their turns, and what that costs lies in the latter.
enum OwnFunction {
  /// Modules that others wrote and that are linked into the program.
  private static let foreign: Set = [
    "ArgumentParser", "ArgumentParserToolInfo", "Dispatch", "Foundation", "FoundationEssentials", "GRDB",
    "Histogram", "Logging",
    "Mustache", "Synchronization",
  ]

  /// Parts of the names of functions in which a thread waits for another: `VirtualClock.wait`, `Locked.wait`.
  private static let waits = ["12VirtualClockC4wait", "6LockedCAARi_zrlE4wait"]

  /// Whether a mangled name begins with one of this project's modules: `$s`, the length of the module's name, and this name
  /// (`swift/docs/ABI/Mangling.rst`). Modules of the standard library have abbreviations without a length. Not of them are
  /// waits, and the compiler's copies of values (`w` and two letters, `WO` and one): a value that nobody waits for is kept
  /// in a queue, and copied once more.
  static func contains(_ name: String) -> Bool {
    guard name.hasPrefix("$s"), !waits.contains(where: name.contains), !isCopy(name) else { return false }
    let digits = name.dropFirst(2).prefix { $0.isASCII && $0.isNumber }
    guard let length = Int(digits), length > 0 else { return false }
    let module = name.dropFirst(2 + digits.count).prefix(length)
    return module.count == length && !module.hasPrefix("_") && !foreign.contains(String(module))
  }

  private static func isCopy(_ name: String) -> Bool {
    let end = name.utf8.suffix(3)
    guard end.count == 3, let first = end.first else { return false }
    let rest = end.dropFirst()
    return first == UInt8(ascii: "w")
      && rest.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      || first == UInt8(ascii: "W") && rest.first == UInt8(ascii: "O")
  }
}
