/// Which names a corpus gives to files, in eight bytes each. Two of a million names are taken for one with a chance of one in 10⁷; the hashes
/// are seeded anew in every process, so nobody can choose names for it.
struct FileNames {
  private var hashes: [Int] = []

  mutating func add(_ name: String) { hashes.append(name.hashValue) }

  /// To be called when all are added, before anything is asked.
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

  /// How many were added more than once.
  var repeated: Int { zip(hashes, hashes.dropFirst()).count { $0 == $1 } }
}
