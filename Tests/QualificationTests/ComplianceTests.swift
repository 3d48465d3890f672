import Testing

@testable import Qualification

@Suite struct ComplianceTests {
  private let vivid = """
    v4l2-compliance 1.22.1, 64 bits, 64-bit time_t

    Format ioctls (Input 0):
    \t\tfail: v4l2-test-formats.cpp(263): fmtdesc.description mismatch: was 'Y/UV 4:2:0', expected 'Y/CbCr 4:2:0'
    \ttest VIDIOC_ENUM_FMT/FRAMESIZES/FRAMEINTERVALS: FAIL
    \ttest VIDIOC_G/S_PARM: OK
    \t\twarn: v4l2-test-formats.cpp(1036): Could not set fmt2
    \ttest VIDIOC_S_FMT: OK
    \t\tfail: v4l2-test-buffers.cpp(700): something else
    \ttest VIDIOC_EXPBUF: FAIL
    """

  @Test func findingsAreReadWithTheirMessages() {
    let output = ComplianceOutput(vivid)
    #expect(output.version == "1.22.1")
    #expect(output.tests == 4)
    #expect(
      output.findings.map(\.test) == [
        "VIDIOC_ENUM_FMT/FRAMESIZES/FRAMEINTERVALS", "VIDIOC_S_FMT", "VIDIOC_EXPBUF",
      ])
    #expect(output.findings.map(\.grade) == [.fail, .warn, .fail])
  }

  @Test func onlyWhatIsListedIsKnown() throws {
    let (output, known) = (ComplianceOutput(vivid), try KnownFindings.load())
    func reasons(_ driver: String) -> [Bool] {
      output.findings.map { known.reason(for: $0, driver: driver, version: output.version) != nil }
    }
    #expect(reasons("vivid") == [true, false, false])
    #expect(reasons("uvcvideo") == [true, true, false])
    let newer = known.reason(for: output.findings[0], driver: "vivid", version: "1.28.0")
    #expect(newer == nil)
  }

  @Test func anotherFailureOfTheSameTestIsNotHidden() throws {
    let more = "\t\tfail: v4l2-test-formats.cpp(281): a second failure\n\ttest VIDIOC_ENUM_FMT"
    let output = ComplianceOutput(vivid.replacing("\ttest VIDIOC_ENUM_FMT", with: more))
    #expect(output.findings[0].messages.count == 2)
    let reason = try KnownFindings.load().reason(
      for: output.findings[0], driver: "vivid", version: output.version)
    #expect(reason == nil)
  }

  @Test func hostileTextStaysBoundedAndPrintable() {
    let line = "\t\tfail: \u{1B}]0;title\u{07}" + String(repeating: "x", count: 10_000) + "\n\ttest A: FAIL\n"
    let output = ComplianceOutput(String(repeating: line, count: 1000))
    #expect(output.findings.count <= 200)
    for message in output.findings.flatMap(\.messages) {
      #expect(message.count <= 400)
      #expect(!message.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
    }
    #expect(ComplianceOutput("").tests == 0)
  }
}
