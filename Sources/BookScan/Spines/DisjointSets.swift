/// Things joined into groups (Galler and Fischer, CACM 7(5), 1964), some of which may never be in one.
struct DisjointSets {
  private var parents: [Int]
  /// By root, the things that may not be in its group.
  private var foes: [Int: Set<Int>] = [:]
  /// By root, its group, where foes are looked for.
  private var members: [[Int]]

  /// - Parameter apart: pairs that never come into one group, whichever joins are asked for.
  init(_ count: Int, apart: [(Int, Int)] = []) {
    parents = Array(0..<count)
    members = (0..<count).map { [$0] }
    for (a, b) in apart {
      foes[a, default: []].insert(b)
      foes[b, default: []].insert(a)
    }
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
    guard a != b, !areFoes(a, b) else { return }
    parents[b] = a
    members[a] += members[b]
    members[b] = []
    if let others = foes.removeValue(forKey: b) { foes[a, default: []].formUnion(others) }
  }

  private func areFoes(_ a: Int, _ b: Int) -> Bool {
    guard let others = foes[a], foes[b] != nil else { return false }
    return members[b].contains { others.contains($0) }
  }

  mutating func groups() -> [[Int]] {
    var byRoot: [Int: [Int]] = [:]
    for index in parents.indices { byRoot[root(index), default: []].append(index) }
    return byRoot.sorted { $0.key < $1.key }.map(\.value)
  }
}
