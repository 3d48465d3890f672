import Testing

@testable import Log

@Suite struct LogEventTests {
  @Test func aLineHasTheTimeAsTheKernelWritesIt() {
    let line = LogLine(time: 83_000_042_000, thread: 1, category: .v4l2, level: .debug, text: "VIDIOC_S_FMT")
    #expect(line.description == "[   83.000042] v4l2 debug: VIDIOC_S_FMT")
  }

  @Test func anEventIsToldWithItsNumbers() {
    let event = LogEvent(
      name: "VIDIOC_DQBUF", category: .v4l2, level: .trace, began: 1_000, ended: 13_000, thread: 1, frame: 42,
      first: LogFact("buffer", 3), second: LogFact("errno", 5))
    #expect(event.line.text == "VIDIOC_DQBUF frame 42 buffer 3 errno 5 12 µs")
    #expect(event.line.time == 13_000)
  }
}
