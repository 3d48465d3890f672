/// Functions whose own instructions depend on where memory lies, not on what the program does: how far the allocator searches for a free block,
/// and how far the Swift runtime probes its tables, which it hashes by address. In runs of one build that differ they are nine tenths of the
/// difference, now and then 5 % of a path. They are left out of the instructions; how often memory is asked for is a count of its own, and who
/// asks is counted with the rest.
enum ScatteredFunction {
  /// The insides of glibc's allocator (`malloc/malloc.c`). Its entries, such as `malloc`, stay in.
  private static let allocator = [
    "_int_", "unlink_chunk", "malloc_consolidate", "systrim", "sysmalloc", "alloc_perturb", "free_perturb",
  ]
  /// Parts of the runtime's names (`swift/Runtime/Concurrent.h`, `ConcurrentReadableHashMap::find`; `Metadata.cpp`, `MetadataCacheKey`).
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
