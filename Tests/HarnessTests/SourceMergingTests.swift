import Testing

@testable import Harness

/// Merging of the reports of several cameras.
@Suite struct SourceMergingTests {
  private func camera(_ name: String, bus: String) async throws -> Report {
    var report = try await SampleReport.sound()
    report.source = SourceDescription(
      kind: "v4l2", name: name, driver: "vivid", bus: bus, format: "NV12 1280×720")
    return report
  }

  @Test func reportsOfSeveralSourcesMergeWhenAsked() async throws {
    let first = try await SampleReport.make()
    var second = first
    second.source = SourceDescription(kind: "v4l2", name: "vivid", driver: "vivid 6.1", format: "NV12")
    second.scenarios[0].id = "device.only"
    for index in second.scenarios.indices.dropFirst() { second.scenarios[index].verdict = .unsupported }
    #expect(throws: HarnessError.self) { try Report.merging([first, second]) }
    let merged = try Report.merging([second, first], acrossSources: true)
    #expect(Set(merged.scenarios.map(\.id)) == Set(first.scenarios.map(\.id) + ["device.only"]))
    let reversed = try Report.merging([first, second], acrossSources: true)
    #expect(reversed.scenarios.map(\.verdict) == merged.scenarios.map(\.verdict))
    #expect(merged.source.kind == "several" && merged.source.name == "vivid; \(first.source.name)")
    for scenario in first.scenarios {
      #expect(merged.scenarios.first { $0.id == scenario.id }?.verdict == scenario.verdict)
    }
    let note = merged.scenarios.first { $0.id == "device.only" }?.notes.last
    #expect(note == "Source: vivid (vivid 6.1), NV12. Profile: seed.")
    #expect(merged.source.driver == "vivid 6.1; replay")
    #expect(HTMLReport(merged).html.contains("vivid 6.1; replay"))
    #expect(MarkdownSummary(merged).markdown.contains("(vivid 6.1; replay)"))
    #expect(throws: HarnessError.self) { try Report.merging([first, first], acrossSources: true) }
    second.duration = .full
    let mixed = try Report.merging([first, second], acrossSources: true)
    let notes = mixed.scenarios.compactMap(\.notes.last)
    #expect(notes.contains("Source: vivid (vivid 6.1), NV12. Profile: seed. Duration: full."))
    #expect(notes.contains { $0.hasSuffix("Profile: seed. Duration: short.") })
  }

  @Test func whatWasMeasuredOnTwoCamerasIsThereOnceForEach() async throws {
    let cameras = [
      try await camera("USB Camera", bus: "usb-1"), try await camera("Bücher-Cam 2", bus: "usb-2"),
    ]
    let merged = try Report.merging(cameras, acrossSources: true)
    // Neither camera has a torch, so that scenario appears once.
    let measured = cameras[0].scenarios.filter { $0.verdict != .unsupported }.map(\.id)
    #expect(merged.scenarios.count == 2 * measured.count + 1)
    #expect(Set(merged.scenarios.map(\.id)).count == merged.scenarios.count)
    for id in measured {
      #expect(
        merged.scenarios.contains { $0.id == "\(id)@usb-camera" && $0.title.hasSuffix(" (USB Camera)") })
      #expect(merged.scenarios.contains { $0.id == "\(id)@b-cher-cam-2" })
    }
    #expect(merged.verdict == cameras[0].verdict)
    #expect(ReportFile.validate(try ReportFile.encode(merged)) == [])
  }

  @Test func twoCamerasOfOneNameAreToldApartByTheirPlace() async throws {
    let cameras = [
      try await camera("vivid", bus: "platform:vivid-000"),
      try await camera("vivid", bus: "platform:vivid-001"),
    ]
    let merged = try Report.merging(cameras, acrossSources: true)
    #expect(merged.scenarios.contains { $0.id == "photo.formats@vivid-platform-vivid-001" })
    #expect(merged.scenarios.contains { $0.title.hasSuffix(" (vivid, platform:vivid-000)") })
    let same = [cameras[0], cameras[0]]
    let error = #expect(throws: HarnessError.self) { try Report.merging(same, acrossSources: true) }
    #expect(
      error?.description.contains(
        "is in two of the reports, for sources of the same name; give each source a name") == true)
    let named = try Report.merging(same, acrossSources: true, names: ["shelf 1", "shelf-2"])
    #expect(named.scenarios.contains { $0.id == "photo.formats@shelf-1" && $0.title.hasSuffix(" (shelf 1)") })
    #expect(named.scenarios.contains { $0.id == "photo.formats@shelf-2" })
    #expect(throws: HarnessError.self) { try Report.merging(same, acrossSources: true, names: ["a", "A"]) }
  }

  @Test func aWorseCameraDecides() async throws {
    var bad = try await camera("Bad", bus: "usb-2")
    bad.scenarios[0].verdict = .fail
    bad.conclude()
    let merged = try Report.merging([try await camera("Good", bus: "usb-1"), bad], acrossSources: true)
    #expect(merged.verdict == .fail && merged.counts["fail"] == 1)
  }
}
