/// The set of names that a corpus gives to its files, each stored as a hash of eight bytes. The chance that two of a million names
/// are confused is one in 10⁷. The hashes are seeded anew in every process, so names cannot be chosen to collide.
struct FileNames {
  private var hashes: [Int] = []

  mutating func add(_ name: String) { hashes.append(name.hashValue) }

  /// Sorts the names. Call it after adding all names, before any query.
  mutating func finish() { hashes.sort() }

  func contains(_ name: String) -> Bool {
    let hash = name.hashValue
    var (low, high) = (0, hashes.count)
    while low < high {
      let middle = (low + high) / 2
      if hashes[middle] < hash { low = middle + 1 } else { high = middle }
    }
    return low < hashes.count && hashes[low] == hash
  }

  /// Number of names that were added more than once.
  var repeated: Int { zip(hashes, hashes.dropFirst()).count { $0 == $1 } }
}
