/// The output of `swiftwing-tool trial station`. Times are in milliseconds unless noted otherwise.
package struct StationOutcome: Codable, Sendable {
  package var recognizer = ""
  /// Number of acknowledged photos, and of those that reached the library.
  package var accepted = 0
  package var delivered = 0
  /// Times from the press until the photo was on disk, and until its books were in the library.
  package var acceptTimes: [Double] = []
  package var latencies: [Double] = []
  /// Seconds from the first press to the last delivery.
  package var seconds = 0.0
  /// Time from the backend's return until the queue was empty. Nil without an outage.
  package var drainTime: Double?
  package var books = 0
  package var copies = 0
  /// Number of spines in the corpus; number of these that are in the library; number of books in the library that are none of these spines.
  package var spines: Int?
  package var spinesFound: Int?
  package var booksBesides: Int?
  /// Numbers about the titles of the corpus: titles that were read in any photo; all their readings in all photos; titles that were read but are not
  /// in the library; and records in the library beyond one per copy on the shelf.
  package var titlesRead: Int?
  package var titleReadings: Int?
  package var titlesLost: Int?
  package var titlesDoubled: Int?
  /// Number of uploads that the backend received.
  package var uploads = 0
  package var jobs = 0
  package var openJobs = 0
  package var imagesLeft = 0
  package var fallbacks = 0
  /// Number of pictures presented in each whole second except the first, counted forwards from the first picture and then backwards from the end.
  package var previewRates: [Double] = []
  /// Seconds from the first picture to the end.
  package var previewSeconds = 0.0

  package init() {}
}

extension StationOutcome {
  var lost: Int { accepted - delivered }

  /// The share of the shelf's spines that the library has. Nil if the contents of the shelf are not known.
  var titlesFound: Double? {
    guard let spines, let spinesFound, spines > 0 else { return nil }
    return Double(spinesFound) / Double(spines)
  }

  /// The share of the repeated readings of titles that added no second record. Nil if no title was read twice.
  var duplicatesFound: Double? {
    guard let titleReadings, let titlesRead, let titlesDoubled, titleReadings > titlesRead else { return nil }
    return 1 - Double(titlesDoubled) / Double(titleReadings - titlesRead)
  }
}

/// The output of `swiftwing-tool trial recognition`. Times are milliseconds of processor time, one per round.
package struct RecognitionOutcome: Codable, Sendable {
  package var recognizer: String
  package var lines = 0
  package var ours: [Double] = []
  /// Time of as many inferences of the bare network as take about as long as one reading.
  package var floor: [Double] = []
  /// Processor time of two inferences ÷ that of one. If it is not near 2, the times are not reliable.
  package var proof = Double.nan

  package init(recognizer: String) { self.recognizer = recognizer }
}
