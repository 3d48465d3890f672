/// The pairs made so far, and the results drawn from them.
struct InterleavedRecord {
  /// Longest turn in a comparison of everything: a scenario with a longer turn, or without limits, is put off, except its exact metrics and its
  /// rules. Nil if scenarios were named.
  let longestTurn: Duration?
  /// Scenarios that run on both builds at once.
  let atOnce: Set<String>
  private var scenarios: [String: PairedScenario] = [:]
  private var first: (base: Report, new: Report)?

  init(longestTurn: Duration?, atOnce: Set<String> = []) {
    self.longestTurn = longestTurn
    self.atOnce = atOnce
  }

  /// Returns the scenario whose turn is next: the one with the fewest pairs among the open scenarios. Scenarios in which only a tail is open come
  /// last. Nil if all are closed.
  func next(of ids: [String]) -> String? {
    let open = ids.filter { scenarios[$0]?.isDecided != true }
    let waiting = open.isEmpty ? ids.filter { scenarios[$0]?.isClosed != true } : open
    return waiting.min { pairs(of: $0) < pairs(of: $1) }
  }

  func pairs(of scenario: String) -> Int { scenarios[scenario]?.count ?? 0 }
  var decided: Int { scenarios.values.count(where: \.isDecided) }

  mutating func add(_ base: Report, _ new: Report, id: String) throws(HarnessError) {
    guard let before = base.scenarios.first(where: { $0.id == id }),
      let after = new.scenarios.first(where: { $0.id == id })
    else {
      throw .comparison(
        path: "the other build", reason: "gave a report without \(id); name a build that has this scenario")
    }
    if let difference = Comparability.differences(base: base, new: new).first {
      throw .comparison(
        path: "the other build",
        reason: "was not measured alike: \(difference); give both builds the same options")
    }
    if first == nil { first = (base.head, new.head) }
    var scenario = scenarios[id] ?? PairedScenario(before, after, isAtOnce: atOnce.contains(id))
    if let longestTurn { scenario.putOff(beyond: longestTurn) }
    scenario.add(before, after)
    scenario.look(plan)
    scenarios[id] = scenario
  }

  /// The share of error per test depends on the number of tests. All tests are known once every scenario has had a turn, which is before the
  /// first look. A scenario that could not be measured has no tests.
  var plan: PairedPlan {
    PairedPlan(tests: scenarios.values.reduce(0) { $0 + $1.tests }, isOfEverything: longestTurn != nil)
  }

  /// Returns a report of the new build, with the comparison in it. Nil before the first pair.
  func report(of ids: [String], isComplete: Bool) -> Report? {
    guard let first else { return nil }
    var report = first.new
    let plan = plan
    let measured = ids.compactMap { scenarios[$0] }
    let missing = ids.filter { scenarios[$0] == nil }
    report.scenarios = measured.map { $0.report(plan) }
    report.complete = isComplete
    let rows =
      measured.flatMap { $0.rows(plan) }.map { ($0.verdict, $0.words) }
      + missing.map { (Verdict.inconclusive, $0) }
    let sentence = ComparisonSentence(rows, remarks: remarks(first.new, missing, isComplete: isComplete))
    report.baseline = BaselineSummary(
      started: first.base.started, commit: first.base.tool.commit, runs: measured.map(\.count).max(),
      interleaved: true, verdict: isComplete ? sentence.verdict : .interrupted, reason: sentence.text)
    report.conclude()
    return report
  }

  private func remarks(_ new: Report, _ missing: [String], isComplete: Bool) -> [String] {
    var found: [String] = []
    if !isComplete { found.append("The comparison was ended before it was done.") }
    if !missing.isEmpty {
      found.append("The time was up before \(missing.joined(separator: ", ")) had a turn.")
    }
    let long = scenarios.filter(\.value.isPutOff).keys.sorted()
    if !long.isEmpty {
      found.append(
        "In a comparison of everything only what is exact was compared of \(long.joined(separator: ", ")), because a turn of it takes too "
          + "long or no limit is on it; name it with --scenario for the rest.")
    }
    let coarse = scenarios.values.reduce(0) { $0 + $1.coarse(plan) }
    if coarse > 0 {
      found.append(
        "\(coarse == 1 ? "1 of them is" : "\(coarse) of them are") unchanged only within 5 %, because there was no time for the tolerance; "
          + "name a scenario to compare it by its own tolerance.")
    }
    if let fault = new.fault { found.append("The new build was broken on purpose (--fault \(fault)).") }
    return found
  }
}

extension Report {
  /// The report without its scenarios: the parts that apply to the whole run.
  fileprivate var head: Report {
    var head = self
    head.scenarios = []
    head.selection = nil
    head.shard = nil
    return head
  }
}
