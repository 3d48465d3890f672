import Foundation
import System
import Testing

@testable import History

@Suite struct RankSumTests {
  /// From Hollander and Wolfe, table A.6. For five and five values, the smallest U has a probability of 1/252.
  @Test(
    arguments: [(0, 5, 5, 2, 252), (1, 5, 5, 4, 252), (2, 5, 5, 8, 252), (0, 3, 7, 2, 120)]
      as [(Int, Int, Int, Int, Int)])
  func smallSamplesAreExact(_ u: Int, _ first: Int, _ second: Int, _ some: Int, _ all: Int) {
    let probability = Double(some) / Double(all)
    #expect(abs(RankSum.probability(Double(u), first, second: second) - probability) < 1e-12)
    #expect(
      RankSum.probability(Double(u), second, second: first)
        == RankSum.probability(Double(u), first, second: second))
    let other = Double(first * second - u)
    #expect(
      RankSum.probability(other, first, second: second)
        == RankSum.probability(Double(u), first, second: second))
  }

  @Test func theMiddleIsSure() { #expect(RankSum.probability(12.5, 5, second: 5) == 1) }

  /// At the size from which the approximation is used, it gives no smaller probability than the exact test.
  @Test(arguments: [0, 400, 700, 900, 1100]) func theApproximationClaimsLess(_ u: Int) {
    let exact = RankSumTable(all: 102).tail(51, 51, u: u) * 2
    let approximate = RankSum.probability(Double(u), 51, second: 51)
    #expect(approximate > exact * 0.9 && (u > 700 || approximate > exact))
  }

  /// The interval contains the true shift in 99 of 100 cases.
  @Test(arguments: [(5, 5), (5, 40), (20, 30)]) func intervalHoldsTheShift(_ first: Int, _ second: Int) throws
  {
    var random = SplitMix64(seed: 7)
    var held = 0
    for _ in 0..<400 {
      let before = (0..<first).map { _ in random.normal() }
      let after = (0..<second).map { _ in random.normal() + 1 }
      let shift = try #require(Shift(from: before, to: after))
      #expect(shift.low <= shift.estimate && shift.estimate <= shift.high)
      if shift.low <= 1, 1 <= shift.high { held += 1 }
    }
    #expect(held >= 388)
  }
}

@Suite struct ChangePointTests {
  /// A search at a level of 1 %, divided among thirty metrics.
  private let search = ChangePointSearch(level: 0.01 / 30)

  private func series(_ count: Int, _ noise: Noise, spread: Double, _ seed: Int, step: (Int, Double)? = nil)
    -> [Double]
  {
    var random = SplitMix64(seed: UInt64(seed &* 7919 &+ 13))
    return (0..<count).map { run in
      let level = step.map { run >= $0.0 ? $0.1 : 1 } ?? 1
      return log(level * noise.factor(&random, spread: spread))
    }
  }

  /// Two hundred histories of a hundred runs without any change are as many as thirty metrics of a build over more than six hundred
  /// runs. At a level of 1 % per run, shared by thirty metrics, six and a half false alarms would be allowed.
  @Test(arguments: Noise.allCases) func noiseIsNoChange(_ noise: Noise) {
    let alarms = (0..<200).count { !search.changes(in: series(100, noise, spread: 0.05, $0)).isEmpty }
    #expect(alarms <= 2, "\(alarms) of 200")
  }

  /// The reason why the search does not use least squares: with outliers, which every machine has, least squares always find a
  /// change. A rank test does not.
  @Test func leastSquaresCryWolf() {
    let histories = (0..<60).map { series(100, .farOut, spread: 0.05, $0) }
    #expect(
      histories.count { !LeastSquaresCut.changes(in: $0, least: ChangePointSearch.leastRuns).isEmpty } >= 57)
    #expect(histories.count { !search.changes(in: $0).isEmpty } <= 1)
  }

  /// A step of 20 % in noise of 5 %, in 100 series. At least `least` must be found within three runs, and `leastExact` at the exact
  /// run. With outliers, fewer suffice.
  @Test(arguments: [(Noise.even, 98, 90), (.farOut, 84, 60), (.twoStates, 90, 65)])
  func stepIsFoundWhereItIs(_ noise: Noise, _ least: Int, _ leastExact: Int) {
    var (found, exact) = (0, 0)
    for seed in 0..<100 {
      let values = series(60, noise, spread: 0.05, seed, step: (40, 1.2))
      let changes = search.changes(in: values)
      if changes.count == 1, abs(changes[0].place - 40) <= 3 { found += 1 }
      if changes.first?.place == 40 { exact += 1 }
    }
    #expect(found >= least && exact >= leastExact, "\(found) found, \(exact) at the run")
  }

  /// If a step is far beyond the noise, six runs after it are enough to find it.
  @Test func stepIsFoundSoon() {
    let found = (0..<50).count { seed in
      search.changes(in: series(46, .even, spread: 0.03, seed, step: (40, 1.3))).first?.place == 40
    }
    #expect(found >= 45, "\(found) of 50")
  }

  /// If a step is undone, a single cut of the whole series finds nothing. This search finds both changes.
  @Test func stepThatIsUndoneIsTwoChanges() {
    var values = series(80, .even, spread: 0.03, 3)
    for run in 40..<52 { values[run] += log(1.2) }
    #expect(search.changes(in: values).map(\.place) == [40, 52])
  }

  /// A change that was found stays when more runs are added.
  @Test func moreRunsTakeNothingBack() {
    for seed in 0..<20 {
      let values = series(120, .farOut, spread: 0.05, seed, step: (60, 1.3))
      let found = stride(from: 64, through: 120, by: 4).map {
        search.changes(in: Array(values.prefix($0))).count
      }
      #expect(found == found.sorted(), "\(seed): \(found)")
    }
  }

  @Test(arguments: [[], [1], [Double](repeating: 4, count: 200)]) func sameValuesAreNoChange(
    _ values: [Double]
  ) {
    #expect(search.changes(in: values).isEmpty)
  }

  /// The candidates contain the true run in 95 of 100 cases, whatever the size of the step.
  @Test(arguments: [0.05, 0.1, 0.2]) func candidatesHoldTheRun(_ step: Double) {
    var (held, sizes) = (0, 0)
    for seed in 0..<200 {
      let values = ArraySlice(series(60, .even, spread: 0.05, seed, step: (40, 1 + step)))
      guard let best = ChangePointSearch.strongest(values) else { continue }
      let candidates = ChangePlace.candidates(values, place: best.place)
      #expect(candidates.contains(best.place))
      held += candidates.contains(40) ? 1 : 0
      sizes += candidates.count
    }
    #expect(held >= 184, "\(held) of 200, \(Double(sizes) / 200) runs each")
  }
}

/// The rejected method: the best segmentation of the whole series by sums of squares, with the penalty of the Bayesian information
/// criterion, as PELT finds it (Killick, Fearnhead and Eckley 2012). The spread is estimated from the differences of neighbours.
private enum LeastSquaresCut {
  static func changes(in values: [Double], least: Int) -> [Int] {
    let spread = deviation(values)
    guard spread > 0 else { return [] }
    let (sums, squares) = (
      running(values.map { $0 / spread }), running(values.map { $0 * $0 / spread / spread })
    )
    let penalty = 2 * log(Double(values.count))
    var best = [-penalty] + [Double](repeating: .infinity, count: values.count)
    var last = [Int](repeating: 0, count: values.count + 1)
    for end in least...values.count {
      for start in 0...end - least {
        let sum = sums[end] - sums[start]
        let cost = best[start] + squares[end] - squares[start] - sum * sum / Double(end - start) + penalty
        if cost < best[end] { (best[end], last[end]) = (cost, start) }
      }
    }
    var (places, end) = ([Int](), values.count)
    while last[end] > 0 {
      end = last[end]
      places.insert(end, at: 0)
    }
    return places
  }

  private static func running(_ values: [Double]) -> [Double] {
    values.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) }
  }

  private static func deviation(_ values: [Double]) -> Double {
    let steps = zip(values.dropFirst(), values).map { $0 - $1 }.sorted()
    let middle = steps[steps.count / 2]
    return 1.4826 * steps.map { abs($0 - middle) }.sorted()[steps.count / 2] / 2.0.squareRoot()
  }
}
