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
