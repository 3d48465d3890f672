/// A function that takes more, or less, of a counted metric than it did.
public struct FunctionChange: Sendable, Hashable, Codable {
  /// As a person reads it; untrusted text.
  public var name: String
  /// The program or library that it is in; untrusted text.
  public var library: String
  /// Instructions of its own for one unit of the metric, in the base; 0 where it was not called.
  public var base: Double
  /// The same in the new build.
  public var new: Double
  /// Who calls it in the new build, or else in the base.
  public var callers: [String]

  /// New − base.
  public var growth: Double { new - base }

  /// The functions whose own instructions changed the most in the direction of the whole, at most five: the first explains the most.
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

  /// `PlaneLoader.load(_:) in swiftwing-tool +120,000, called by PhotoPipeline.make(_:)`.
  var words: String {
    let caller = callers.first.map { ", called by \($0)" } ?? ""
    return "\(name) in \(library) \(growth < 0 ? "" : "+")\(Figure.text(growth, .count))\(caller)"
  }
}
