/// Finds the heaviest subsequence that is in order. The other books are the fewest that must be moved.
enum LongestOrder {
  /// The indices of the heaviest subsequence with non-decreasing places; O(n log n), by a tree of prefix maxima (Fenwick 1994).
  /// - Parameter places: the place of each element, 0 or more.
  static func kept(_ places: [Int], weights: [Int]) -> [Int] {
    let size = (places.max() ?? -1) + 2
    /// For each place, the last index of the heaviest subsequence that ends at this place or before it.
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
