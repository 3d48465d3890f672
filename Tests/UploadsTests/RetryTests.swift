import Foundation
import Testing

@testable import Library
@testable import Uploads

@Suite struct RetryTests {
  static let file = SharedData.folder("http").appending(path: "retry_after.json")
  static let now = Date(timeIntervalSince1970: 1_696_004_797)

  @Test(.enabled(if: FileManager.default.fileExists(atPath: file.path)))
  func everyRetryAfterReadsAsTheStandardSays() throws {
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: Self.file)) as? [String: Any])
    let vectors = try #require(json["vectors"] as? [[String: Any]])
    #expect(!vectors.isEmpty)
    for vector in vectors {
      let value = try #require(vector["v"] as? String)
      let seconds = RetryAfter.seconds(value, now: Self.now)
      if vector["parsed"] is String {
        #expect(seconds == .max, "\(value)")
      } else {
        #expect(seconds == vector["parsed"] as? Int, "\(value)")
      }
    }
    for form in try #require(json["http_date_forms"] as? [[String: Any]]) {
      let date = HTTPDate.parse(try #require(form["v"] as? String), now: Self.now)
      #expect(date?.timeIntervalSince1970 == (form["unix"] as? NSNumber)?.doubleValue)
    }
  }

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 24:00:00 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
    "Sun, 06 nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT", "1e3",
    "+5", " 5",
  ])
  func whatIsNeitherFormIsNothing(text: String) {
    #expect(RetryAfter.seconds(text, now: Self.now) == nil)
  }

  @Test func twoDigitYearIsNeverOverFiftyYearsAhead() {
    #expect(
      HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: Self.now)?.timeIntervalSince1970 == 784_111_777)
    #expect(HTTPDate.parse("Friday, 29-Sep-23 16:26:37 GMT", now: Self.now) == Self.now)
  }

  /// An HTTP date has whole seconds, but the present time has fractions, so the pause is rounded up.
  @Test func pauseUntilADateIsNeverShorterThanAskedFor() {
    for part in stride(from: 0.0, through: 0.9, by: 0.1) {
      let pause = RetryPolicy().pause(retryAfter: "Fri, 29 Sep 2023 16:27:37 GMT", now: Self.now + part)
      #expect(pause >= 60 - part && pause < 61)
    }
  }

  @Test func retriesAfterOneTwoAndFourSecondsThenNoMore() {
    let policy = RetryPolicy()
    #expect((1...4).map(policy.delay(afterFailures:)) == [1, 2, 4, nil])
  }

  @Test(arguments: [
    ("20", 20.0), ("0", 1), ("99999999999999999999999", 3600), ("nan", 30),
    ("Fri, 29 Sep 2023 16:26:27 GMT", 1),
    ("Fri, 29 Sep 2023 16:27:37 GMT", 60), ("33.5", 34), ("33.0", 33), ("0.25", 1), ("5.", 30), (".5", 30),
    ("9223372036854775807.9", 3600), ("1.2.3", 30), ("-5", 30),
  ])
  func pauseIsWithinBounds(value: String, seconds: TimeInterval) {
    #expect(RetryPolicy().pause(retryAfter: value, now: Self.now) == seconds)
    #expect(RetryPolicy().pause(retryAfter: nil, now: Self.now) == 30)
  }
}
