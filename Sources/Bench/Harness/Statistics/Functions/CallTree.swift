/// The instructions of a counted metric as a tree of calls. For each function, callgrind reports what it took for each direct caller, but not for
/// whole chains of callers. So a function's own instructions are divided among its callers in proportion to these figures, as gprof does.
struct CallTree {
  /// A function at one place of the tree.
  struct Node {
    var name: String
    /// Instructions of the function and of all nodes below.
    var instructions: Double
    /// The called functions, sorted by name. No name occurs twice.
    var below: [Node]
  }

  /// Functions without a known caller.
  let roots: [Node]

  private static let mostDepth = 48
  /// The share of all instructions below which a function is left out.
  private static let least = 0.002

  /// - Returns: nil if the count does not contain what functions took for their callers.
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

  /// A function, summed over all libraries that contain its name.
  private struct Function {
    var own = 0.0
    /// The share that each known caller has in the function's instructions. The shares add up to 1.
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
    ///   - share: the share of the function's instructions that belongs to this chain of callers, 0...1.
    ///   - path: the chain of callers, which ends recursion.
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
