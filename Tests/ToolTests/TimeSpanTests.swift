import Testing

@testable import swiftwing_tool

/// The time limit of `bench --against` as users type it.
@Suite struct TimeSpanTests {
  @Test(arguments: [("90s", 90), ("5m", 300), ("1h", 3600), ("24h", 86_400)])
  func aTimeHasAUnit(text: String, seconds: Int) {
    #expect(TimeSpan(argument: text)?.duration == .seconds(seconds))
  }

  @Test(arguments: ["5", "m", "0s", "-1m", "1.5m", "25h", "5 m", "", "99999999999999999999s"])
  func whatIsNoTimeIsRefused(text: String) { #expect(TimeSpan(argument: text) == nil) }
}
