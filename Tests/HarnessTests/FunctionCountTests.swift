import Testing

@testable import Harness

@Suite struct FunctionCountTests {
  private func counted(
    _ instructions: Double, _ functions: [String: Double], counter: String = "callgrind 3.19, x86-64"
  ) -> MetricReport {
    var metric = Measurement(
      id: "counted.photo.a.instructions", title: "Instructions", unit: .count, level: .synthetic,
      kind: .counted, samples: [instructions])
    metric.functions = FunctionCount(
      counter: counter,
      functions: functions.map {
        FunctionCost(name: $0.key, library: "tool", own: $0.value, callers: ["main"])
      })
    var profile = Profile.make()
    profile.tolerances = [ToleranceRule(tolerance: Tolerance(relative: 0.005, detectable: 0.005))]
    return MetricJudge(profile: profile, metrics: [metric]).report(metric)
  }

  @Test func theFunctionThatGrewIsNamedFirst() throws {
    let base = counted(1000, ["scale": 600, "turn": 300, "copy": 100])
    let new = counted(1011, ["scale": 598, "turn": 313, "copy": 100])
    let found = MetricComparator().compare(base, new)
    #expect(found.verdict == .regressed && found.method == .counted)
    #expect(found.functions?.map(\.name) == ["turn"])
    #expect(found.reason.contains("Own instructions: turn in tool +13, called by main"))
    let back = MetricComparator().compare(new, base)
    #expect(back.verdict == .improved && back.functions?.first?.name == "turn")
  }

  @Test func aNewFunctionAndOneThatIsGoneAreNamed() {
    let (base, new) = (counted(1000, ["scale": 1000]), counted(1100, ["scale": 1000, "copy": 100]))
    #expect(MetricComparator().compare(base, new).functions?.first?.name == "copy")
    #expect(MetricComparator().compare(new, base).functions?.first?.new == 0)
  }

  @Test func whatDiffersByLessThanTheToleranceIsUnchanged() {
    let (base, new) = (counted(1000, ["scale": 1000]), counted(1004, ["scale": 1004]))
    let found = MetricComparator().compare(base, new)
    #expect(found.verdict == .unchanged && !found.reason.contains("Own instructions"))
  }

  /// Counts of another processor cannot be compared, because it has other instructions.
  @Test func countsOfAnotherMachineAreRefusedByName() {
    let (base, new) = (
      counted(1000, [:], counter: "callgrind 3.19, x86-64 with avx2"),
      counted(1000, [:], counter: "callgrind 3.24, arm64")
    )
    let found = MetricComparator().compare(base, new)
    #expect(found.verdict == .incomparable && found.reason.contains("counted by callgrind 3.24, arm64"))
  }

  @Test func onlyTheDearestFunctionsAreKept() {
    let many = (0..<500).map { FunctionCost(name: "f\($0)", library: "tool", own: Double($0)) }
    let count = FunctionCount(counter: "c", functions: many)
    #expect(count.functions.count == FunctionCount.limit && count.functions[0].own == 499)
  }
}
