import Harness
import Probes
import System

/// IMG-4: the cost of a photo at each size, the words that remain readable, and whether the engine chooses the cheapest size that keeps enough of
/// them.
struct PhotoFrontier: Scenario {
  let id = "photo.frontier"
  let suite = Suite.scan
  let title = "The cheapest photo that can still be read"
  let purpose =
    "A photo's cost is its tokens, its worth what can still be read in it. Too small, a shelf loses its titles; too large, each scan costs several times as much."
  let exampleFailure =
    "A scanner that sends every photo with 1024 pixels: half the price, and on a full shelf three words of ten are gone."
  let requirements: [RequirementID] = ["IMG-4"]
  private let rig: Rig

  /// The share of the words read at full size that a photo must keep.
  static let share = 0.98

  init(rig: Rig) { self.rig = rig }

  /// Proves that both a choice that keeps too few words and a choice that costs too many tokens are noticed.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let points = [(258, 50), (516, 99), (1032, 100)].map { tokens, kept in
      TokenFrontierOutcome.Point(
        profile: "seed", width: tokens, height: tokens, seenWidth: tokens, seenHeight: tokens, tokens: tokens,
        kept: kept, bytes: 1, milliseconds: 1)
    }
    func verdicts(_ tokens: Int, _ kept: Int) -> [Bool] {
      let still = TokenFrontierOutcome.Still(
        name: "", width: 4000, height: 3000, words: 100, points: points,
        choice: .init(tokens: tokens, kept: kept, words: 100, isKept: kept >= 98, readings: 3))
      return Self.checks(still, 1).map(\.passed)
    }
    guard verdicts(516, 99) == [true, true], verdicts(258, 50) == [false, true],
      verdicts(1032, 100) == [true, false]
    else {
      return .failed("of 258, 516 and 1032 tokens that keep 50, 99 and 100 words not 516 alone passed")
    }
    return .passed(
      "of 258, 516 and 1032 tokens that keep 50, 99 and 100 of 100 words, only 516 passed both rules")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let trial = ScanTrialProgram(rig, context)
    let extent = context.duration.frontier
    let stills =
      try corpus().map { ["--corpus", $0, "--stills", "\(extent.stills)"] }
      ?? Self.bundled.prefix(extent.stills).flatMap { ["--still", $0] }
    return observation(
      try await onOwnThread { try trial.frontier(["--level", extent.level] + stills) })
  }

  /// The bundled stills: first a loosely filled shelf, then a shelf that is too full for any size, then the others.
  private static let bundled = [3, 6, 8, 1, 2, 4, 5, 7].map { "frames/00000\($0).jpg" }

  /// Returns the recording that was named. Nil for the bundled stills.
  private func corpus() throws -> String? {
    guard let text = rig.specification else {
      if rig.camera != nil {
        throw Unsupported(
          "this scenario reads recorded stills, so that every run has the same; name a recording, as `corpus:NAME`"
        )
      }
      return nil
    }
    guard text.hasPrefix("corpus:") else {
      throw Unsupported("this scenario reads recorded stills; name a recording, as `corpus:NAME`")
    }
    return String(text.dropFirst("corpus:".count).prefix { $0 != "?" })
  }

  func observation(_ outcome: TokenFrontierOutcome) -> Observation {
    let reachable = outcome.stills.filter { $0.cheapest("seed", Self.share) != nil }
    let lack =
      reachable.isEmpty ? "no size up to 1920 pixels keeps 98 % of the words of any of the stills" : nil
    return Observation(
      metrics: [
        Measurement(
          id: "photo.frontier.share", title: "Words kept at the size chosen, of those read at full size",
          unit: .ratio, polarity: .higherIsBetter, level: .synthetic, kind: .observed,
          samples: reachable.map { Double($0.choice.kept) / Double(max($0.choice.words, 1)) }, lack: lack),
        Measurement(
          id: "photo.frontier.cost", title: "Tokens at the size chosen, of those at 1920 pixels",
          unit: .ratio,
          level: .synthetic, kind: .observed,
          samples: reachable.map { Double($0.choice.tokens) / Double(max($0.dearest, 1)) }, lack: lack),
      ],
      checks: outcome.stills.enumerated().flatMap { Self.checks($1, $0 + 1) },
      evidence: [.curves("Tokens and words, size by size", curves(outcome)).of(id)],
      notes: [
        "Read by \(outcome.recognizer). A size is read as the model of a profile sees it, after the vendor's own resizing; sizes within 3 % of each other count as one.",
        "The engine chooses by the seed's profile here; the charts mark the cheapest size measured of each.",
      ])
  }

  static func checks(_ still: TokenFrontierOutcome.Still, _ number: Int) -> [Check] {
    let (choice, best) = (still.choice, still.cheapest("seed", share))
    let kept = "\(choice.kept) of \(choice.words) words at \(choice.tokens) tokens"
    return [
      Check(
        id: "photo.frontier.\(number).kept",
        title: "\(still.name): the size chosen keeps 98 % of the words, or the result says that none does",
        passed: choice.isKept
          ? Double(choice.kept) >= share * Double(choice.words) - 1e-9 : best == nil, subjects: 1,
        detail: choice.isKept ? kept : kept + "; it is reported that no size keeps 98 %", requirement: "IMG-4"
      ),
      Check(
        id: "photo.frontier.\(number).cheapest",
        title: "\(still.name): no cheaper size of those measured keeps them",
        passed: choice.tokens <= best?.tokens ?? still.dearest, subjects: still.points.count,
        detail: best.map { "\(kept); the cheapest measured costs \($0.tokens)" }
          ?? "\(kept); no size measured keeps 98 %", requirement: "IMG-4"),
    ]
  }

  private func curves(_ outcome: TokenFrontierOutcome) -> Curves {
    var panels: [Curves.Panel] = []
    var rows: [[String]] = []
    let hasPrices = !rig.tokenPrices.isEmpty
    for still in outcome.stills {
      for profile in outcome.profiles {
        let points = still.points.filter { $0.profile == profile.id }
        let best = still.cheapest(profile.id, Self.share)
        panels.append(
          Curves.Panel(
            outcome.stills.count == 1 ? profile.title : "\(profile.title), \(still.name)",
            points.map { point in
              Curves.Point(
                x: Double(point.tokens), y: still.share(point),
                label: "\(point.width)×\(point.height), \(point.tokens) tokens",
                isChosen: point.width == best?.width && point.height == best?.height)
            }))
        rows += points.map { row($0, still, hasPrices: hasPrices) }
      }
    }
    return Curves(
      cost: "tokens", worth: "words kept", goal: Self.share, panels: panels,
      columns: ["profile", "still", "sent", "seen", "tokens", "words kept", "part", "kB", "ms"]
        + (hasPrices ? ["1000 scans"] : []), rows: rows)
  }

  private func row(
    _ point: TokenFrontierOutcome.Point, _ still: TokenFrontierOutcome.Still, hasPrices: Bool
  ) -> [String] {
    func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
    let price = rig.tokenPrices[point.profile] ?? rig.tokenPrices[""]
    return [
      point.profile, still.name, "\(point.width)×\(point.height)", "\(point.seenWidth)×\(point.seenHeight)",
      "\(point.tokens)", "\(point.kept) of \(still.words)", tenths(still.share(point) * 100) + " %",
      tenths(Double(point.bytes) / 1000), tenths(point.milliseconds),
    ] + (hasPrices ? [price.map { Self.cents($0 * Double(point.tokens) / 1000) } ?? "–"] : [])
  }

  /// Returns a price with two decimals, in the currency in which it was given.
  private static func cents(_ price: Double) -> String {
    let cents = Int((price * 100).rounded())
    return "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
  }
}

extension TokenFrontierOutcome.Still {
  /// The cost of the largest measured size in the seed's profile, in tokens.
  fileprivate var dearest: Int { points.filter { $0.profile == "seed" }.map(\.tokens).max() ?? 0 }
}

extension RunDuration {
  /// The accuracy of reading, and the number of stills.
  fileprivate var frontier: (level: String, stills: Int) {
    switch self {
    case .turn, .short: ("fast", 1)
    case .full: ("accurate", 3)
    case .soak: ("accurate", 8)
    }
  }
}
