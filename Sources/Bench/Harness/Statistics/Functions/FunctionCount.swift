/// The instructions of a counted metric, by function.
public struct FunctionCount: Sendable, Hashable, Codable {
  /// The conditions of the count: tool, instruction set and C library, such as `callgrind 3.19, x86-64 with AVX2, glibc 2.36`. Only counts with equal
  /// conditions are compared.
  public var counter: String
  /// At most ``limit`` functions. Those with the most instructions of their own come first.
  public var functions: [FunctionCost]

  /// Maximum number of functions that are kept for one metric.
  public static let limit = 200
  /// The number of functions within ``limit`` that are kept for the instructions of their callees rather than for their own.
  private static let callers = 50

  /// - Parameter functions: in any order. Of more than ``limit``, the functions with the most instructions of their own are kept; a quarter is chosen
  ///   by the instructions of their callees instead, because without them the chains of calls would be unknown.
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

  /// Returns the instructions of each function's callees, by the function's name.
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

/// The cost of one function within a counted metric.
public struct FunctionCost: Sendable, Hashable, Codable {
  /// The readable name, such as `PhotoPipeline.process(_:orientation:settings:)`. Untrusted text.
  public var name: String
  /// The program or library that contains the function, without its folder. Untrusted text.
  public var library: String
  /// The function's own instructions for one unit of the metric, without those of its callees.
  public var own: Double
  /// The names of at most three callers. The caller that causes the most instructions comes first.
  public var callers: [String]
  /// Instructions of the function and its callees for one unit of the metric, for each caller in the order of ``callers``. Nil in reports made before
  /// 2026-11-28.
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
