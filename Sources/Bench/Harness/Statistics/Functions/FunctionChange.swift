/// A function whose own instructions in a counted metric have changed.
public struct FunctionChange: Sendable, Hashable, Codable {
  /// The name of the function as a person writes it; untrusted text.
  public var name: String
  /// The program or library that contains the function; untrusted text.
  public var library: String
  /// The function's own instructions for one unit of the metric, in the base build. 0 if it was not called.
  public var base: Double
  /// The function's own instructions for one unit of the metric, in the new build. 0 if it was not called.
  public var new: Double
  /// The names of its callers in the new build; those in the base if the new build lacks the function.
  public var callers: [String]

  /// `new` minus `base`, in instructions.
  public var growth: Double { new - base }

  /// Returns the functions that explain most of a metric's change: at most five, the largest change first. If all functions together need more
  /// instructions than in the base build, only functions that grew are returned; if fewer, only functions that shrank.
  static func between(_ base: FunctionCount, _ new: FunctionCount) -> [FunctionChange] {
    func key(_ cost: FunctionCost) -> [String] { [cost.library, cost.name] }
    let before = Dictionary(base.functions.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(new.functions.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
    let changes = Set(before.keys).union(after.keys).compactMap { key -> FunctionChange? in
      let (was, now) = (before[key], after[key])
      guard let known = now ?? was, was?.own != now?.own else { return nil }
      return FunctionChange(
        name: known.name, library: known.library, base: was?.own ?? 0, new: now?.own ?? 0,
        callers: known.callers)
    }
    let total = changes.reduce(0) { $0 + $1.growth }
    let sign = total < 0 ? -1.0 : 1
    return Array(
      changes.sorted { (sign * $0.growth, $1.name) > (sign * $1.growth, $0.name) }.prefix(5)
        .filter { sign * $0.growth > 0 })
  }

  /// The change as text, such as `PlaneLoader.load(_:) in swiftwing-tool +120,000, called by
  /// PhotoPipeline.make(_:)`.
  var words: String {
    let caller = callers.first.map { ", called by \($0)" } ?? ""
    return "\(name) in \(library) \(growth < 0 ? "" : "+")\(Figure.text(growth, .count))\(caller)"
  }
}
