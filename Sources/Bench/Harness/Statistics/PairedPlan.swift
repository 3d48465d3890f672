/// How often pairs are looked at, and how the chance of an error is shared out (Bonferroni): among the tests that decide, and among the
/// looks that may claim a change.
public struct PairedPlan: Sendable, Hashable {
  /// After so many pairs a metric is looked at, and once more when the time is up.
  static let looks = [5, 7, 10, 14, 20, 28, 40, 56, 80]
  /// The chance that one build compared with itself is called regressed, over all metrics and looks, even if it lay right at the
  /// tolerance. The same holds for `improved`.
  static let falseAlarm = 0.01
  /// The chance at a look that a change as large as the tolerance is called `unchanged`: two one-sided tests (Schuirmann 1987).
  static let missed = 0.05
  /// From so many pairs on a change can be claimed: of fewer, all may have one sign by chance.
  static let fewestToClaim = 10

  /// The relative change that a comparison of everything tells in its time, where the tolerance is smaller.
  static let promise = 0.05

  /// How many tests decide, over all scenarios; at least 1.
  public let tests: Int
  /// No scenario was named: there is little time for each.
  let isOfEverything: Bool

  /// - Parameters:
  ///   - tests: that decide, over all scenarios.
  ///   - isOfEverything: no scenario was named.
  public init(tests: Int, isOfEverything: Bool = false) {
    self.tests = max(1, tests)
    self.isOfEverything = isOfEverything
  }

  /// The share of one test at one look.
  var error: Double {
    Self.falseAlarm / Double(tests * (Self.looks.count { $0 >= Self.fewestToClaim } + 1))
  }

  /// Whether a metric is looked at after so many pairs.
  static func isLook(_ pairs: Int) -> Bool { looks.contains(pairs) }
  /// No scenario takes more.
  static var most: Int { looks.last ?? 0 }
}
