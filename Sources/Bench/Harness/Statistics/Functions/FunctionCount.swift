/// The instructions of a counted metric, by function.
public struct FunctionCount: Sendable, Hashable, Codable {
  /// The tool, the instruction set and the C library, such as `callgrind 3.19, x86-64 with AVX2, glibc 2.36`.
  /// Only counts with equal counters can be compared.
  public var counter: String
  /// The functions with the most instructions of their own first; at most ``limit``.
  public var functions: [FunctionCost]

  /// The maximum number of functions to keep for one metric.
  public static let limit = 200
  /// The number of kept functions that may be chosen for the instructions of the functions they call, instead
  /// of their own.
  private static let callers = 50

  /// - Parameter functions: in any order. If there are more than ``limit``, most of the kept ones are those
  ///   with the most instructions of their own. A quarter is chosen by the instructions of the functions that
  ///   they call: without them, the chains of callers would be lost.
  public init(counter: String, functions: [FunctionCost]) {
    self.counter = counter
    let byOwn = functions.sorted { ($0.own, $1.name) > ($1.own, $0.name) }
    guard byOwn.count > Self.limit else {
      self.functions = byOwn
      return
    }
    let dearest = byOwn.prefix(Self.limit - Self.callers)
    let passed = Self.passed(to: functions)
    let calling = byOwn.dropFirst(dearest.count).enumerated().sorted {
      (passed[$0.element.name] ?? 0, $1.offset) > (passed[$1.element.name] ?? 0, $0.offset)
    }
    self.functions =
      Array(dearest) + calling.prefix(Self.callers).sorted { $0.offset < $1.offset }.map(\.element)
  }

  /// The instructions that each function takes in the functions that it calls, by its name.
  private static func passed(to functions: [FunctionCost]) -> [String: Double] {
    var passed: [String: Double] = [:]
    for function in functions {
      for (caller, taken) in zip(function.callers, function.callerInstructions ?? []) {
        passed[caller, default: 0] += taken
      }
    }
    return passed
  }
}

/// The instructions that one function took of a counted metric.
public struct FunctionCost: Sendable, Hashable, Codable {
  /// The name of the function as a person writes it, such as
  /// `PhotoPipeline.process(_:orientation:settings:)`; untrusted text.
  public var name: String
  /// The program or library that contains the function, without its folder; untrusted text.
  public var library: String
  /// The instructions of the function itself, without the functions that it calls, for one unit of the
  /// metric.
  public var own: Double
  /// The names of at most three callers; the caller for which the function takes the most instructions comes first.
  public var callers: [String]
  /// For each of ``callers``, in their order: the instructions that the function takes for this caller, with
  /// all functions that it calls, per unit of the metric. Nil in reports older than 2026-11-28.
  public var callerInstructions: [Double]?

  /// Creates the cost of one function.
  public init(
    name: String, library: String, own: Double, callers: [String] = [], callerInstructions: [Double]? = nil
  ) {
    self.name = name
    self.library = library
    self.own = own
    self.callers = callers
    self.callerInstructions = callerInstructions
  }
}
