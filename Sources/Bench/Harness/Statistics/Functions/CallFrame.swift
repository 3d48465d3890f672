/// One box of a differential flame graph (Brendan Gregg, "Differential Flame Graphs", 2014): a function, with all that it calls, at one place among
/// those that call it.
public struct CallFrame: Sendable, Hashable, Codable {
  /// As a person reads it; untrusted text.
  public var name: String
  /// How many functions of the graph are above it; 0 for one that none of them calls.
  public var depth: Int
  /// Where it begins, in instructions from the left, of the build that takes more.
  public var start: Double
  /// Instructions of one unit of the metric in the base, with all that it calls; 0 where it is not called from there.
  public var base: Double
  /// The same in the new build.
  public var new: Double

  /// Most frames of one graph.
  public static let limit = 80

  /// The frames of two counts of one metric, those above first: as wide as in the build that takes more, so that what grew, or went, is there to be
  /// seen. The widest are kept. A function that takes nothing itself and calls one other stands for nothing, and is left out.
  static func between(_ base: FunctionCount, _ new: FunctionCount) -> [CallFrame] {
    guard let before = CallTree(base), let after = CallTree(new) else { return [] }
    let isGrown = total(after.roots) >= total(before.roots)
    let (drawn, other) = isGrown ? (after, before) : (before, after)
    var frames: [CallFrame] = []
    place(drawn.roots, beside: other.roots, depth: 0, start: 0) { name, depth, start, width, counterpart in
      frames.append(
        CallFrame(
          name: name, depth: depth, start: start, base: isGrown ? counterpart : width,
          new: isGrown ? width : counterpart))
    }
    // What is above is as wide at least, so none of those kept hangs in the air.
    let kept = frames.enumerated().sorted {
      (max($0.element.base, $0.element.new), $1.offset) > (max($1.element.base, $1.element.new), $0.offset)
    }
    return kept.prefix(limit).sorted { $0.offset < $1.offset }.map(\.element)
  }

  private static func total(_ nodes: [CallTree.Node]) -> Double { nodes.reduce(0) { $0 + $1.instructions } }

  private static func place(
    _ nodes: [CallTree.Node], beside others: [CallTree.Node], depth: Int, start: Double,
    _ emit: (_ name: String, _ depth: Int, _ start: Double, _ width: Double, _ counterpart: Double) -> Void
  ) {
    var start = start
    for node in nodes.sorted(by: { ($0.instructions, $1.name) > ($1.instructions, $0.name) }) {
      let counterpart =
        others.first { $0.name == node.name } ?? others.flatMap(\.below).first { $0.name == node.name }
      // Most of it under a function that the other build has not: that function was put between, or taken out.
      let isBetween = counterpart == nil && node.instructions > 0.5 * nodes.reduce(0) { $0 + $1.instructions }
      let isPassed = node.below.count == 1 && node.below[0].instructions > 0.999 * node.instructions
      if !isPassed { emit(node.name, depth, start, node.instructions, counterpart?.instructions ?? 0) }
      place(
        node.below, beside: counterpart?.below ?? (isBetween ? others : []),
        depth: isPassed ? depth : depth + 1, start: start, emit)
      start += node.instructions
    }
  }
}
