/// When an interleaved comparison looks at its pairs (interim analyses), and the chance of error of each look. The chance is divided
/// equally (Bonferroni) among all tests that decide and all looks that may claim a change.
public struct PairedPlan: Sendable, Hashable {
  /// The numbers of pairs after which a metric is looked at. There is one more look when the time is up.
  static let looks = [5, 7, 10, 14, 20, 28, 40, 56, 80]
  /// The chance that one build compared with itself is called regressed, over all metrics and looks, even if the change were exactly at the
  /// tolerance. The chance for `improved` is the same.
  static let falseAlarm = 0.01
  /// The chance, at one look, that a change as large as the tolerance is called `unchanged`: two one-sided tests (Schuirmann 1987).
  static let missed = 0.05
  /// The fewest pairs with which a change can be claimed: fewer may all have the same sign by chance.
  static let fewestToClaim = 10

  /// The smallest relative change that a comparison of all scenarios can show in its time, for metrics with a smaller tolerance.
  static let promise = 0.05

  /// Number of deciding tests over all scenarios, at least 1.
  public let tests: Int
  /// Whether no scenario was named, which leaves little time for each.
  let isOfEverything: Bool

  /// - Parameters:
  ///   - tests: the number of deciding tests over all scenarios.
  ///   - isOfEverything: whether no scenario was named.
  public init(tests: Int, isOfEverything: Bool = false) {
    self.tests = max(1, tests)
    self.isOfEverything = isOfEverything
  }

  /// The chance of error for one test at one look.
  var error: Double {
    Self.falseAlarm / Double(tests * (Self.looks.count { $0 >= Self.fewestToClaim } + 1))
  }

  /// Returns whether a metric is looked at after this number of pairs.
  static func isLook(_ pairs: Int) -> Bool { looks.contains(pairs) }
  /// Maximum number of pairs of a scenario.
  static var most: Int { looks.last ?? 0 }
}
