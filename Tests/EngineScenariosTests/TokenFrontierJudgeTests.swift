import Testing

@testable import EngineScenarios
@testable import Harness
@testable import Probes

/// IMG-4: the verdict on a choice of photo size.
@Suite struct TokenFrontierJudgeTests {
  private typealias Outcome = TokenFrontierOutcome

  /// Returns a still of 100 words. By the profile `seed`, its sizes keep the given numbers of words; by another profile, they keep
  /// all.
  private func still(_ kept: [(tokens: Int, kept: Int)], choice: Outcome.Choice, name: String = "shelf")
    -> Outcome.Still
  {
    let points = ["seed", "other"].flatMap { profile in
      kept.map { size in
        Outcome.Point(
          profile: profile, width: size.tokens, height: size.tokens, seenWidth: size.tokens,
          seenHeight: size.tokens, tokens: size.tokens, kept: profile == "seed" ? size.kept : 100,
          bytes: 12_345,
          milliseconds: 4.21)
      }
    }
    return Outcome.Still(name: name, width: 4000, height: 3000, words: 100, points: points, choice: choice)
  }

  private func choice(_ tokens: Int, _ kept: Int, isKept: Bool = true) -> Outcome.Choice {
    Outcome.Choice(tokens: tokens, kept: kept, words: 100, isKept: isKept, readings: 3)
  }

  private func observation(_ stills: [Outcome.Still], prices: [String: Double] = [:]) -> Observation {
    var rig = Rig(viewfinder: "")
    rig.tokenPrices = prices
    return PhotoFrontier(rig: rig).observation(
      Outcome(
        recognizer: "scripted",
        profiles: [.init(id: "seed", title: "Seed"), .init(id: "other", title: "Other")],
        stills: stills))
  }

  private static let sizes = [(258, 50), (516, 97), (1032, 98), (1548, 100)]

  @Test(
    arguments: [
      (1032, 98, true, []), (516, 98, true, []),
      (516, 97, true, ["photo.frontier.1.kept"]),
      (1548, 100, true, ["photo.frontier.1.cheapest"]),
      // The choice claims that no size keeps enough words, although larger sizes do.
      (258, 50, false, ["photo.frontier.1.kept", "photo.frontier.share"]),
    ] as [(Int, Int, Bool, Set<String>)])
  func theChoiceIsJudged(tokens: Int, kept: Int, isKept: Bool, red: Set<String>) throws {
    let observation = observation([still(Self.sizes, choice: choice(tokens, kept, isKept: isKept))])
    #expect(try observation.red() == red)
  }

  /// If no size keeps enough words, the choice must say so, and then the lost words are no failure.
  @Test func whatCannotBeKeptMustBeSaid() throws {
    let sizes = [(258, 50), (516, 80), (1548, 90)]
    let said = observation([still(sizes, choice: choice(1548, 90, isKept: false))])
    #expect(try said.red().isEmpty)
    #expect(said.metrics.allSatisfy { $0.samples.isEmpty && $0.lack != nil })
    let hidden = observation([still(sizes, choice: choice(1548, 90, isKept: true))])
    #expect(try hidden.red() == ["photo.frontier.1.kept"])
  }

  @Test func oneStillOfSeveralIsTold() throws {
    let right = still(Self.sizes, choice: choice(1032, 98))
    let wrong = still(Self.sizes, choice: choice(258, 50), name: "pile")
    let observation = observation([right, wrong])
    #expect(try observation.red() == ["photo.frontier.2.kept", "photo.frontier.share"])
    #expect(observation.checks.contains { $0.title.hasPrefix("pile: ") && !$0.passed })
  }

  @Test func allSizesAreDrawnAndPriced() throws {
    let still = still(Self.sizes, choice: choice(1032, 98))
    func curves(_ prices: [String: Double]) -> Curves? {
      guard case .curves(let curves)? = observation([still], prices: prices).evidence.first?.content else {
        return nil
      }
      return curves
    }
    let plain = try #require(curves([:]))
    #expect(plain.panels.map(\.title) == ["Seed", "Other"] && plain.rows.count == 8)
    #expect(plain.panels.map { $0.points.filter(\.isChosen).map(\.x) } == [[1032], [258]])
    #expect(
      plain.rows.allSatisfy { $0.count == plain.columns.count } && !plain.columns.contains("1000 scans"))
    let priced = try #require(curves(["": 2, "other": 0.05]))
    #expect(priced.rows.allSatisfy { $0.count == priced.columns.count })
    // 1032 tokens × 1000 scans × 2 per million tokens.
    #expect(priced.rows[2].last == "2.06" && priced.rows[4].last == "0.01")
    #expect(try #require(curves(["other": 1])).rows[0].last == "–")
  }
}
