/// One box of a differential flame graph (Brendan Gregg, "Differential Flame
/// Graphs", 2014): a function together with its callees, at one place in the tree of calls.
public struct CallFrame: Sendable, Hashable, Codable {
  /// The readable name of the function. Untrusted text.
  public var name: String
  /// Number of functions above this one in the graph; 0 if none of them calls it.
  public var depth: Int
  /// Left edge of the box, in instructions of the build that takes more.
  public var start: Double
  /// Instructions of the function and its callees for one unit of the metric, in the base; 0 if it is not called from there.
  public var base: Double
  /// The same instructions in the new build.
  public var new: Double

  /// Maximum number of frames in a graph.
  public static let limit = 80

  /// Returns the frames of two counts of one metric, callers before callees. Widths are those of the build that takes more, so that functions which
  /// grew, or disappeared, are visible. Only the widest frames are kept. A function that takes nothing itself and has a single callee is left out.
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
    // A caller is at least as wide as its callees, so the callers of each kept frame are kept too.
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
      // The function takes most of this level, and the other build lacks it: it was inserted between caller and callees, or removed there.
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
