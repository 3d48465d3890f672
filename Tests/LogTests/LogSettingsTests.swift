import Testing

@testable import Log

@Suite struct LogSettingsTests {
  @Test func levelsAreByCategory() throws {
    let settings = try LogSettings("v4l2=debug, session=info")
    #expect(settings.levels[.v4l2] == .debug)
    #expect(settings.levels[.session] == .info)
    for category in LogCategory.allCases where category != .v4l2 && category != .session {
      #expect(settings.levels[category] == .off)
    }
  }

  @Test func aLevelAloneIsForAllAndALaterWordCountsMore() throws {
    let settings = try LogSettings("warning,frame=trace,frame=off")
    #expect(settings.levels[.viewfinder] == .warning)
    #expect(settings.levels[.frame] == .off)
    #expect(try LogSettings("frame=trace,error").levels == LogLevels(.error))
  }

  @Test func nothingIsWantedByNothing() throws {
    #expect(try LogSettings("") == LogSettings())
    #expect(LogSettings().wanted == LogLevels(.off))
  }

  /// Lines that are printed only after an error must be recorded even if their level is not printed.
  @Test func historyWantsLinesThatAreNotTold() throws {
    let settings = try LogSettings("history,session=trace,http=error")
    #expect(settings.keepsHistory)
    #expect(settings.levels[.http] == .error)
    #expect(settings.wanted[.http] == .debug)
    #expect(settings.wanted[.session] == .trace)
  }

  @Test(arguments: [
    ("v4l=debug", "v4l", "no category"), ("v4l2=loud", "loud", "no level"), ("v4l2=", "nothing", "no level"),
    ("chatty", "chatty", "no level"), ("=debug", "nothing", "no category"),
    ("history=1", "history", "no category"),
  ])
  func aWordThatMeansNothingIsNamed(text: String, word: String, what: String) {
    let error = #expect(throws: LogError.self) { try LogSettings(text) }
    #expect(error?.description.hasPrefix("SWIFTWING_LOG names \(word), which is \(what) of the log") == true)
  }

  /// Each category has its own bits, including the last one.
  @Test func levelsDoNotTouchOneAnother() {
    for category in LogCategory.allCases {
      var levels = LogLevels(.off)
      levels[category] = .trace
      for other in LogCategory.allCases { #expect(levels[other] == (other == category ? .trace : .off)) }
    }
  }
}
