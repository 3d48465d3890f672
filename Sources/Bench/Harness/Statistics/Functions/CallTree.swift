/// Where the instructions of a counted metric went, by who called whom: callgrind tells of each function what it took for each of its callers, not
/// the whole way to it, so what a function takes itself is shared out among its callers by what it took for each, as gprof does.
struct CallTree {
  /// A function at one place of the tree.
  struct Node {
    var name: String
    /// Of its own and of all below it.
    var instructions: Double
    /// By name; no name stands twice.
    var below: [Node]
  }

  /// Functions that nobody calls, or nobody that is known.
  let roots: [Node]

  private static let mostDepth = 48
  /// Of the whole; below it nothing is looked at.
  private static let least = 0.002

  /// - Returns: nil for a count that does not tell what functions took for their callers.
  init?(_ count: FunctionCount) {
    let functions = Self.merged(count.functions)
    guard functions.values.contains(where: { !$0.shares.isEmpty }) else { return nil }
    var called: [String: [String]] = [:]
    for (name, function) in functions {
      for caller in function.shares.keys { called[caller, default: []].append(name) }
    }
    let whole = functions.values.reduce(0) { $0 + $1.own }
    let builder = Builder(
      functions: functions, called: called.mapValues { $0.sorted() }, least: whole * Self.least)
    roots = functions.filter { $0.value.shares.isEmpty }.keys.sorted().compactMap { builder.node($0, 1, []) }
  }

  /// A function of all libraries in which its name stands.
  private struct Function {
    var own = 0.0
    /// By caller that is known, of 1.
    var shares: [String: Double] = [:]
  }

  private static func merged(_ costs: [FunctionCost]) -> [String: Function] {
    let known = Set(costs.map(\.name))
    var functions: [String: Function] = [:]
    for cost in costs {
      functions[cost.name, default: Function()].own += max(0, cost.own)
      for (caller, taken) in zip(cost.callers, cost.callerInstructions ?? [])
      where caller != cost.name && known.contains(caller) && taken > 0 {
        functions[cost.name, default: Function()].shares[caller, default: 0] += taken
      }
    }
    return functions.mapValues { function in
      let sum = function.shares.values.reduce(0, +)
      return Function(own: function.own, shares: function.shares.mapValues { $0 / sum })
    }
  }

  private struct Builder {
    let functions: [String: Function]
    let called: [String: [String]]
    let least: Double

    /// - Parameters:
    ///   - share: how much of all that the function takes is taken on this way, 0...1.
    ///   - path: who is above it, so that what calls itself in a ring ends.
    func node(_ name: String, _ share: Double, _ path: [String]) -> Node? {
      guard let function = functions[name], share > 0.001, path.count < CallTree.mostDepth,
        !path.contains(name)
      else { return nil }
      let below = (called[name] ?? []).compactMap { callee in
        node(callee, share * (functions[callee]?.shares[name] ?? 0), path + [name])
      }
      let instructions = below.reduce(share * function.own) { $0 + $1.instructions }
      return instructions >= least ? Node(name: name, instructions: instructions, below: below) : nil
    }
  }
}
