/// Disjoint groups of indices, merged by joins (Galler and Fischer, CACM 7(5), 1964). Some pairs may never share a group; other
/// pairs, the rivals, only if certain joins merge their groups.
struct DisjointSets {
  private var parents: [Int]
  /// For each root, the indices that may never be in its group.
  private var foes: [Int: Set<Int>]
  /// For each root, the indices that may enter its group only by a join of two indices that both have rivals.
  private var rivals: [Int: Set<Int>]
  /// For each root, the indices in its group, which are checked against foes and rivals.
  private var members: [[Int]]
  private let hasRivals: Set<Int>

  /// Creates one group for each of `count` indices.
  /// - Parameters:
  ///   - apart: pairs that never share a group, whatever is joined.
  ///   - rivals: pairs that share a group only by a join of two indices that both have rivals.
  init(_ count: Int, apart: [(Int, Int)] = [], rivals: [(Int, Int)] = []) {
    parents = Array(0..<count)
    members = (0..<count).map { [$0] }
    foes = Self.table(apart)
    self.rivals = Self.table(rivals)
    hasRivals = Set(self.rivals.keys)
  }

  private static func table(_ pairs: [(Int, Int)]) -> [Int: Set<Int>] {
    var table: [Int: Set<Int>] = [:]
    for (a, b) in pairs {
      table[a, default: []].insert(b)
      table[b, default: []].insert(a)
    }
    return table
  }

  mutating func root(_ index: Int) -> Int {
    var index = index
    while parents[index] != index {
      parents[index] = parents[parents[index]]
      index = parents[index]
    }
    return index
  }

  mutating func join(_ left: Int, _ right: Int) {
    let (a, b) = (min(root(left), root(right)), max(root(left), root(right)))
    guard a != b, !meet(a, b, in: foes) else { return }
    let isOwn = hasRivals.contains(left) && hasRivals.contains(right)
    guard isOwn || !meet(a, b, in: rivals) else { return }
    parents[b] = a
    members[a] += members[b]
    members[b] = []
    if let others = foes.removeValue(forKey: b) { foes[a, default: []].formUnion(others) }
    if let others = rivals.removeValue(forKey: b) { rivals[a, default: []].formUnion(others) }
  }

  /// Whether `table` lists a member of group `b` for group `a`.
  private func meet(_ a: Int, _ b: Int, in table: [Int: Set<Int>]) -> Bool {
    guard let others = table[a], table[b] != nil else { return false }
    return members[b].contains { others.contains($0) }
  }

  mutating func groups() -> [[Int]] {
    var byRoot: [Int: [Int]] = [:]
    for index in parents.indices { byRoot[root(index), default: []].append(index) }
    return byRoot.sorted { $0.key < $1.key }.map(\.value)
  }
}
