/// One box of a differential flame graph (Brendan Gregg, "Differential Flame Graphs", 2014): a function with
/// all that it calls, for one chain of callers.
public struct CallFrame: Sendable, Hashable, Codable {
  /// The name of the function as a person writes it; untrusted text.
  public var name: String
  /// The number of frames above this frame: its caller, the caller of its caller, and so on. 0 if no function of the graph calls it.
  public var depth: Int
  /// The left edge, in instructions of the build that takes more.
  public var start: Double
  /// The instructions of the function and of all that it calls, for one unit of the metric in the base build. 0 if the base does not call
  /// the function in this chain of callers.
  public var base: Double
  /// The instructions of the function and of all that it calls, for one unit of the metric in the new build. 0 if the new build does not
  /// call the function in this chain of callers.
  public var new: Double

  /// The maximum number of frames of one graph.
  public static let limit = 80

  /// The frames that compare two counts of one metric, callers first. Widths are those of the build that
  /// takes more, so that functions that only one build has are visible too. Only the widest frames are kept.
  /// A function without instructions of its own that calls one other function is left out.
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
    // A caller is at least as wide as the functions that it calls, so the callers of each kept frame are kept
    // too.
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
      // Most instructions are in a function that the other build lacks: it was inserted between its caller
      // and the others, or removed from there.
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
