import Foundation
import Testing

@testable import Harness

/// The conditions that a report must meet to be a baseline.
@Suite struct BaselineTests {
  @Test func aSoundReportMayBeOne() async throws {
    #expect(try await SampleReport.sound().flawAsBaseline == nil)
  }

  @Test func whatIsNoneSaysWhy() async throws {
    let sound = try await SampleReport.sound()
    func flaw(_ change: (inout Report) -> Void) -> String? {
      var report = sound
      change(&report)
      report.conclude()
      return report.flawAsBaseline
    }
    #expect(flaw { $0.fault = "delay" } == "was broken on purpose (--fault delay)")
    #expect(flaw { $0.complete = false } == "is of a run that was interrupted or killed before its end")
    #expect(flaw { $0.environment.build = "debug" } == "is of a debug build, whose times mean nothing")
    #expect(flaw { $0.scenarios[2].verdict = .fail } == "failed, in latency.glass-to-glass")
    var broken = sound
    broken.fault = "delay"
    #expect(Comparison(base: broken, new: sound).reason.contains("the baseline was broken on purpose"))
  }

  @Test func anUnfinishedRunIsNotCompared() async throws {
    let base = try await SampleReport.sound()
    var new = base
    new.complete = false
    new.conclude()
    #expect(new.verdict == .interrupted)
    let comparison = Comparison(base: base, new: new)
    #expect(comparison.exitStatus == .inconclusive)
    #expect(comparison.reason.contains("interrupted or killed before its end"))
  }

  @Test func aPartIsABaselineForItsOwnScenariosOnly() async throws {
    let whole = try await SampleReport.sound()
    var part = whole
    part.selection = "--suite latency"
    part.scenarios = whole.scenarios.filter { $0.suite == .latency }
    part.conclude()
    let refused = Comparison(base: part, new: whole)
    #expect(refused.verdict == .incomparable)
    #expect(
      refused.reason
        == "The runs cannot be compared: the baseline is only a part of a run (--suite latency) and has no "
        + "cold-start.process, cold-start.prewarmed, rotation.angles and 5 more.")
    let compared = Comparison(base: whole, new: part)
    #expect(compared.verdict == .unchanged)
    #expect(compared.reason.hasSuffix("Only 2 of the 10 scenarios of the baseline are compared."))
    #expect(Comparison(base: part, new: part).verdict == .unchanged)
    // The same choice has lost a scenario since.
    var lost = part
    let gone = lost.scenarios.removeLast().id
    let refusal = Comparison(base: part, new: lost)
    #expect(refusal.verdict == .incomparable)
    #expect(refusal.reason.hasSuffix("the new run has no \(gone), which the baseline has."))
  }

  @Test func whatIsNewIsSaidAndDoesNotRefuse() async throws {
    let new = try await SampleReport.sound()
    var base = new
    base.scenarios.removeFirst()
    let comparison = Comparison(base: base, new: new)
    #expect(comparison.verdict == .unchanged)
    #expect(comparison.reason.hasSuffix("Not in the baseline and not compared: cold-start.process."))
  }

  @Test func anotherDurationOrAFaultIsSaid() async throws {
    let base = try await SampleReport.sound()
    var new = base
    new.duration = .full
    #expect(Comparison(base: base, new: new).reason.contains("the duration is full, was short"))
    new = base
    new.fault = "slow-preview=30"
    let comparison = Comparison(base: base, new: new)
    #expect(comparison.reason.hasSuffix("The new run was broken on purpose (--fault slow-preview=30)."))
    #expect(comparison.new.fault == "slow-preview=30")
  }

  @Test func aBrokenOrOpenRunIsSeenAsSuchEverywhere() async throws {
    var report = try await SampleReport.sound()
    report.fault = "slow-preview=30"
    report.complete = false
    report.shard = Shard("1/2")
    report.conclude()
    let json = try ReportFile.encode(report)
    #expect(ReportFile.validate(json) == [])
    #expect(try ReportFile.decode(json) == report)
    let text = String(decoding: json, as: UTF8.self)
    for field in [#""fault" : "slow-preview=30""#, #""complete" : false"#, #""shard" : "1/2""#] {
      #expect(text.contains(field))
    }
    for page in [HTMLReport(report).html, MarkdownSummary(report).markdown] {
      #expect(page.contains("broken on purpose (--fault slow-preview=30)"))
      #expect(page.contains("interrupted or killed before its end"))
      #expect(page.contains("a part of a run: --shard 1/2"))
    }
    #expect(JUnitReport(report).xml.contains("name=\"SwiftWing, broken on purpose: slow-preview=30\""))
    report.verdict = .pass
    #expect(!ReportFile.validate(try ReportFile.encode(report)).isEmpty)
  }

  @Test func aFolderHasOneRunAtATime() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/out"
    var first: ReportFolder? = try ReportFolder(path: path)
    let error = #expect(throws: HarnessError.self) { try ReportFolder(path: path) }
    #expect(error?.description.contains("another run is writing its report there") == true)
    #expect(first?.path == path)
    // A process that is being started has copies of all descriptors until it runs its program.
    let copies = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { CInt($0) }
      .filter { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path }
      .map { dup($0) }
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1)
    first = nil
    _ = try ReportFolder(path: path)
  }

  @Test func theRenderingsOfTheRunBeforeGo() async throws {
    let directory = try TemporaryDirectory()
    let bundle = ReportBundle(directory: directory.path)
    try bundle.write(try await SampleReport.sound())
    #expect(directory.names.count == ReportBundle.renderings.count + 1)
    bundle.removeRenderings()
    #expect(directory.names == ["report.json"])
  }

  @Test func theSameSecondGivesAnotherFolder() throws {
    let directory = try TemporaryDirectory()
    let folders = try (1...3).map { _ in try ReportFolder.new("T", in: directory.path + "/reports") }
    #expect(
      folders.map { $0.path.dropFirst(directory.path.count) } == [
        "/reports/T", "/reports/T-2", "/reports/T-3",
      ])
  }

  @Test func aBaselineUnderAnyNameIsSeenToBeOverwritten() throws {
    let directory = try TemporaryDirectory()
    let report = directory.path + "/a/report.json"
    try OutputFile(path: report).write("{}")
    try FileManager.default.createSymbolicLink(
      atPath: directory.path + "/link", withDestinationPath: directory.path + "/a")
    #expect(ReportFolder.wouldOverwrite(report, in: directory.path + "/link"))
    #expect(ReportFolder.wouldOverwrite(directory.path + "/link/report.json", in: directory.path + "/a/../a"))
    #expect(!ReportFolder.wouldOverwrite(report, in: directory.path))
    #expect(!ReportFolder.wouldOverwrite(directory.path + "/none", in: directory.path + "/none"))
  }

  @Test func whatOthersTookIsWhatThisDidNot() throws {
    let start = ContinuousClock.now
    let cores = Double(ProcessInfo.processInfo.activeProcessorCount)
    let before = ProcessorLoad(busy: 100, own: 5, time: start)
    let after = ProcessorLoad(busy: 100 + 5 * cores, own: 5 + 2 * cores, time: start + .seconds(10))
    #expect(abs(try #require(after.others(since: before)) - 0.3) < 1e-9)
    #expect(ProcessorLoad(busy: 101, own: 5, time: start + .milliseconds(10)).others(since: before) == nil)
    #expect(ProcessorLoad(busy: 100, own: 9, time: start + .seconds(1)).others(since: before) == 0)
    #expect(ProcessorLoad.read() != nil)
    #expect(ProcessorLoad.read(root: "/nowhere") == nil)
  }
}
