/// The instructions of a counted metric as a tree of calls. Callgrind reports what a function took for each
/// of its callers, but not for whole chains of callers. So the instructions of a function are divided among
/// its callers in proportion to what it took for each, as gprof does.
struct CallTree {
  /// A function in one chain of callers.
  struct Node {
    var name: String
    /// The instructions of the function itself and of all nodes below it.
    var instructions: Double
    /// The functions that it calls, sorted by name; no name occurs twice.
    var below: [Node]
  }

  /// The functions without a known caller.
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

  /// The function of a name, summed over all libraries that contain it.
  private struct Function {
    var own = 0.0
    /// The share of each known caller; the shares add up to 1.
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
    ///   - path: the callers above the function. A function that is among them already is left out, so that recursion
    ///     ends.
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
