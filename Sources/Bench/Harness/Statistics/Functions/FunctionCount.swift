/// Where the instructions of a counted metric went.
public struct FunctionCount: Sendable, Hashable, Codable {
  /// What counts of it can be compared with: the tool, the instruction set and the C library, such as `callgrind 3.19, x86-64 with AVX2, glibc 2.36`.
  public var counter: String
  /// Those with the most instructions of their own first, at most ``limit``.
  public var functions: [FunctionCost]

  /// Most functions that are kept of one metric.
  public static let limit = 200
  /// Of these, how many may be there for what they call rather than for what they take themselves.
  private static let callers = 50

  /// - Parameter functions: in any order. Of more than ``limit``, those are kept that take most themselves, and a quarter for what they call: without
  ///   these, nobody could tell which way the instructions went.
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

  /// Instructions of what each function calls, by its name.
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

/// What one function took of a counted metric.
public struct FunctionCost: Sendable, Hashable, Codable {
  /// As a person reads it, such as `PhotoPipeline.process(_:orientation:settings:)`; untrusted text.
  public var name: String
  /// The program or library that it is in, without its folder; untrusted text.
  public var library: String
  /// Instructions of its own, without those of the functions that it calls, for one unit of the metric.
  public var own: Double
  /// Who calls it, by name, the one for which it does most first; at most three.
  public var callers: [String]
  /// Instructions of its own and of all that it calls, for one unit of the metric, by caller in the order of ``callers``; nil in reports of before 2026-11-28.
  public var callerInstructions: [Double]?

  /// What one function took.
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
