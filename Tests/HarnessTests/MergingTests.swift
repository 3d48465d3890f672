import Testing

@testable import Harness

/// Merging of the parts of a run, and the refusal of parts that do not fit.
@Suite struct MergingTests {
  /// Returns the parts of a report as `bench --shard` writes them.
  private func shards(_ count: Int = 3, of whole: Report) throws -> [Report] {
    try (1...count).map { index in
      var part = whole
      let shard = try #require(Shard("\(index)/\(count)"))
      part.shard = shard
      part.planned = whole.scenarios.map {
        PlannedScenario(id: $0.id, suite: $0.suite, title: $0.title, reproduce: $0.reproduce)
      }
      part.scenarios = shard.select(from: whole.scenarios)
      part.conclude()
      return part
    }
  }

  private func refusal(_ reports: [Report], acrossSources: Bool = false) -> String {
    let error = #expect(throws: HarnessError.self) {
      try Report.merging(reports, acrossSources: acrossSources)
    }
    return error?.description ?? ""
  }

  /// Merges the sample's three parts after `change` has altered the third, and returns the error.
  private func refusal(_ change: (inout Report) -> Void) async throws -> String {
    var parts = try shards(of: await SampleReport.make())
    change(&parts[2])
    return refusal(parts)
  }

  @Test(arguments: [1, 2, 3, 10]) func shardsMergeIntoTheWhole(_ count: Int) async throws {
    var whole = try await SampleReport.make()
    let merged = try Report.merging(try shards(count, of: whole).reversed())
    #expect(merged.scenarios == whole.scenarios, "in the order of one run")
    // The baseline of the merged report names the shard that compared. Its verdict is that of the whole.
    #expect(merged.baseline?.verdict == whole.baseline?.verdict)
    whole.baseline = merged.baseline
    #expect(merged == whole)
    #expect(ReportFile.validate(try ReportFile.encode(merged)) == [])
  }

  @Test func aShardThatIsNotThereIsMissingByName() async throws {
    let whole = try await SampleReport.make()
    let parts = try shards(of: whole)
    let merged = try Report.merging([parts[2], parts[0]])
    let lost = parts[1].scenarios.map(\.id)
    #expect(
      merged.missing == [
        MissingShard(shard: try #require(Shard("2/3")), reason: "is missing", scenarios: lost)
      ])
    #expect(
      merged.missing?.first?.sentence
        == "The shard 2/3 is missing: \(lost.joined(separator: ", ")) were not measured.")
    #expect(merged.cautions.contains { $0.hasPrefix("The shard 2/3 is missing: ") })
    #expect(merged.verdict == .interrupted && merged.exitStatus == .interrupted && !merged.complete)
    #expect(merged.scenarios.map(\.id) == whole.scenarios.map(\.id))
    for scenario in merged.scenarios where lost.contains(scenario.id) {
      #expect(scenario.verdict == .interrupted && scenario.reason == "the shard 2/3 is missing")
    }
    #expect(merged.baseline?.verdict == .interrupted)
    #expect(merged.flawAsBaseline != nil)
    #expect(ReportFile.validate(try ReportFile.encode(merged)) == [])
    #expect(refusal([merged], acrossSources: true).contains("is not whole: the shard 2/3 is missing: "))
  }

  @Test func aShardThatWasKilledGivesWhatItHas() async throws {
    var parts = try shards(of: await SampleReport.make())
    parts[1].complete = false
    let lost = parts[1].scenarios.removeLast().id
    parts[1].conclude()
    let merged = try Report.merging(parts)
    #expect(
      merged.missing?.map(\.sentence)
        == ["The shard 2/3 was interrupted or killed before its end: \(lost) was not measured."])
    #expect(merged.counts["interrupted"] == 1 && merged.verdict == .interrupted)
    // The process was killed after its last scenario, but before it completed the report.
    parts = try shards(of: await SampleReport.make())
    parts[0].complete = false
    #expect(try Report.merging(parts).verdict == .interrupted)
  }

  @Test func noMergeOfPassingPartsPassesWithoutAllOfThem() async throws {
    let sound = try await SampleReport.sound()
    #expect(try Report.merging(try shards(4, of: sound)).verdict == sound.verdict)
    for lost in 0..<4 {
      var parts = try shards(4, of: sound)
      parts.remove(at: lost)
      #expect(try Report.merging(parts).exitStatus == .interrupted)
    }
  }

  @Test func partsOfDifferentNumbersAreRefused() async throws {
    let whole = try await SampleReport.make()
    let parts = try shards(of: whole)
    #expect(refusal([]).contains("nothing to merge"))
    #expect(refusal([whole, whole]).contains("is not a shard of a run"))
    #expect(
      refusal(parts + [parts[1]])
        == "Could not merge the reports: two of the reports are of the shard 2/3; leave one out.")
    #expect(
      refusal([parts[0]] + (try shards(2, of: whole))).contains("different numbers of parts: 1/3, 1/2, 2/2"))
    #expect(
      refusal(parts, acrossSources: true).contains("the shard 1/3 is a part of a run; merge the shards"))
  }

  @Test func partsOfDifferentRunsAreRefused() async throws {
    #expect(
      try await refusal { $0.tool.commit = "another" }.contains("in the shard 3/3 the commit is another, was")
    )
    #expect(try await refusal { $0.tool.version = "9.9.9" }.contains("the version is 9.9.9, was 0.1.0"))
    #expect(try await refusal { $0.tool.build = "debug" }.contains("the build is debug, was release"))
    #expect(try await refusal { $0.profile = "strict" }.contains("the profile is strict, was seed"))
    #expect(try await refusal { $0.duration = .full }.contains("the duration is full, was short"))
    #expect(try await refusal { $0.source.digest = "other" }.contains("the source is"))
    #expect(
      try await refusal { $0.fault = "delay" }.contains("in the shard 3/3 the fault is delay, was none"))
    #expect(
      try await refusal { $0.selection = "--suite photo" }.contains(
        "the choice is --suite photo, was everything"))
    #expect(try await refusal { $0.baseline = nil }.contains("the baseline is none, was"))
    #expect(try await refusal { $0.planned?.swapAt(0, 1) }.contains("is of a run of other scenarios than"))
    #expect(try await refusal { $0.planned = nil }.contains("does not say which scenarios the run has"))
  }

  @Test func partsThatContradictThemselvesAreRefused() async throws {
    #expect(
      try await refusal { $0.scenarios.removeLast() }.contains(
        "the shard 3/3 says that it was finished, and has no `"))
    #expect(try await refusal { $0.scenarios.append($0.scenarios[0]) }.contains("the shard 3/3 has `"))
    #expect(
      try await refusal { $0.scenarios[0].id = "latency.other" }.contains(
        "has `latency.other`, which is not in its part of the run"))
    #expect(
      try await refusal { part in
        for index in part.scenarios.indices where !part.scenarios[index].metrics.isEmpty {
          part.scenarios[index].metrics[0].p50 = 0.001
        }
      }.contains("the shard 3/3 says "))
  }

  @Test func partsOfSeveralMachinesAreMergedWhenAsked() async throws {
    var parts = try shards(of: await SampleReport.sound())
    parts[1].environment.cpu = "Other Processor"
    parts[1].environment.fingerprint += ", other"
    #expect(refusal(parts).contains("the cpu is Other Processor, was Intel"))
    #expect(refusal(parts).contains("(merge runs of several machines with --across-machines)"))
    let merged = try Report.merging(parts, acrossMachines: true)
    #expect(merged.environment.machines?.count == 2 && merged.environment.cpu.hasSuffix("; Other Processor"))
    #expect(merged.flawAsBaseline == "was merged of runs on several machines")
    let note = merged.scenarios.first { $0.id == parts[1].scenarios[0].id }?.notes.last
    #expect(note == "Machine: \(parts[1].environment.fingerprint).")
    #expect(ReportFile.validate(try ReportFile.encode(merged)) == [])
    parts[1].environment.build = "debug"
    #expect(throws: HarnessError.self) { try Report.merging(parts, acrossMachines: true) }
  }
}
