/// The heaviest part of a sequence that is in order: what is left out is the fewest books that must be moved.
enum LongestOrder {
  /// Indices of a subsequence whose places never fall and whose weight is greatest; O(n log n), by a tree of prefix maxima (Fenwick 1994).
  /// - Parameter places: of each of the sequence, 0 or more.
  static func kept(_ places: [Int], weights: [Int]) -> [Int] {
    let size = (places.max() ?? -1) + 2
    /// The best end of a subsequence whose last place is at most that.
    var best = [Int](repeating: -1, count: size)
    var weight = [Int](repeating: 0, count: places.count)
    var before = [Int](repeating: -1, count: places.count)
    var end = -1
    for index in places.indices {
      var (node, found) = (places[index] + 1, -1)
      while node > 0 {
        if best[node] >= 0, found < 0 || weight[best[node]] > weight[found] { found = best[node] }
        node &= node - 1
      }
      before[index] = found
      weight[index] = weights[index] + (found >= 0 ? weight[found] : 0)
      node = places[index] + 1
      while node < size {
        if best[node] < 0 || weight[index] > weight[best[node]] { best[node] = index }
        node += node & -node
      }
      if end < 0 || weight[index] > weight[end] { end = index }
    }
    var kept: [Int] = []
    while end >= 0 {
      kept.append(end)
      end = before[end]
    }
    return kept.reversed()
  }
}
