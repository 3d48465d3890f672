import Testing

@testable import TalariaServer
@testable import swiftwing_tool

@Suite struct FaultNameTests {
  @Test(
    arguments: [
      ("delay:20", .delay(20)), ("drop", .drop), ("half-event", .halfEvent),
      ("huge-event:1073741824", .hugeEvent(1 << 30)),
      ("status:503", .status(503)), ("too-many-requests:20", .tooManyRequests("20")),
      ("too-many-requests:Fri, 15 Jan 2027 08:00:20 GMT", .tooManyRequests("Fri, 15 Jan 2027 08:00:20 GMT")),
      ("redirect:https://example.org/", .redirect("https://example.org/")),
      ("job-refusal", .jobError(retryable: false)),
    ] as [(String, Fault)])
  func nameNamesTheFault(name: String, fault: Fault) { #expect(Fault(name: name) == fault) }

  @Test(arguments: Fault.names) func everyNameIsOne(name: String) {
    let filled = name.replacing("MS", with: "5").replacing("BYTES", with: "5").replacing("CODE", with: "500")
      .replacing("SECONDS-OR-DATE", with: "5").replacing("URL", with: "/x")
    #expect(Fault(name: filled) != nil)
  }

  @Test(arguments: [
    "", "delay", "delay:", "delay:-1", "delay:x", "status:99", "drop:1", "redirect:a\r\nb", "nothing",
  ])
  func nonsenseNamesNone(name: String) { #expect(Fault(name: name) == nil) }

  @Test(arguments: [
    "upload", "upload=", "down=drop", "upload=drop*0", "upload=drop*x", "upload=drop*1*2", "=drop",
  ])
  func optionThatIsNoneIsRefused(text: String) { #expect(FaultOption(argument: text) == nil) }

  @Test func optionCounts() throws {
    let script = FaultScript()
    try #require(FaultOption(argument: "stream=reset*2")).add(to: script)
    #expect([script.next(.stream), script.next(.stream), script.next(.stream)] == [.reset, .reset, nil])
    try #require(FaultOption(argument: "upload=status:500")).add(to: script)
    for _ in 0..<3 { #expect(script.next(.upload) == .status(500)) }
    #expect(script.next(.cleanup) == nil)
  }
}

@Suite struct JobsTests {
  /// A server that runs for months must forget its oldest scans.
  @Test func oldestJobsAndKeysAreForgotten() {
    let jobs = Jobs(keyLimit: 3, jobLimit: 2)
    let ids = (0..<5).map { jobs.job(forKey: "\($0)").id }
    #expect(jobs.counts.open == 2 && jobs.counts.made == 5)
    #expect(jobs.job(forKey: "4") == (ids[4], false))
    #expect(jobs.job(forKey: "2") == (ids[2], false))
    #expect(jobs.news(of: ids[2], after: 0, within: 0) == .unknown)
    #expect(jobs.job(forKey: "0").isNew)
  }

  /// All jobs that were not cleaned up share a limit for the size of their events.
  @Test func oldestJobsAreForgottenForTheirSize() {
    let jobs = Jobs(byteLimit: 100)
    let ids = (0..<4).map { jobs.job(forKey: "\($0)").id }
    for id in ids { jobs.append("result", String(repeating: "x", count: 40), to: id) }
    #expect(ids.map { jobs.news(of: $0, after: -1, within: 0) == .unknown } == [true, true, false, false])
    #expect(jobs.cleanUp(ids[2]))
    let next = jobs.job(forKey: "4").id
    jobs.append("result", String(repeating: "x", count: 40), to: next)
    #expect(jobs.counts.open == 2, "a cleaned-up entry makes room")
    jobs.append("result", String(repeating: "x", count: 400), to: next)
    #expect(jobs.counts.open == 1 && jobs.news(of: next, after: -1, within: 0) != .unknown)
  }
}
