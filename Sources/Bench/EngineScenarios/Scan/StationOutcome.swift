/// The JSON output of `swiftwing-tool trial station`. Times are in milliseconds unless a property says
/// otherwise.
package struct StationOutcome: Codable, Sendable {
  package var recognizer = ""
  /// The number of photos that were acknowledged.
  package var accepted = 0
  /// The number of photos whose books reached the library.
  package var delivered = 0
  /// The time from each press until the photo was on disk.
  package var acceptTimes: [Double] = []
  /// The time from each press until the books of the photo were in the library.
  package var latencies: [Double] = []
  /// The time from the first press to the last delivery, in seconds.
  package var seconds = 0.0
  /// The time from the backend's return to the empty queue. Nil without an outage.
  package var drainTime: Double?
  package var books = 0
  package var copies = 0
  /// The number of spines in the corpus.
  package var spines: Int?
  /// The number of spines of the corpus whose book the library has.
  package var spinesFound: Int?
  /// The number of books in the library that are on no spine of the corpus.
  package var booksBesides: Int?
  /// The number of titles of the corpus that were read in at least one photo.
  package var titlesRead: Int?
  /// The number of readings of titles in all photos.
  package var titleReadings: Int?
  /// The number of titles that were read but are not in the library.
  package var titlesLost: Int?
  /// The number of records in the library beyond one for each copy on the shelf.
  package var titlesDoubled: Int?
  /// The number of uploads that the backend received.
  package var uploads = 0
  /// The number of distinct jobs at the backend, one per idempotency key.
  package var jobs = 0
  /// The number of these jobs that were open at the end.
  package var openJobs = 0
  /// The number of images left in the queue's folder at the end.
  package var imagesLeft = 0
  package var fallbacks = 0
  /// The number of presented pictures per second: in each whole second counted from the first picture, and in
  /// each whole second counted back from the end.
  package var previewRates: [Double] = []
  /// The time from the first picture to the end, in seconds.
  package var previewSeconds = 0.0

  package init() {}
}

extension StationOutcome {
  var lost: Int { accepted - delivered }

  /// The share of the corpus's spines whose book the library has. Nil if the number of spines is unknown or 0.
  var titlesFound: Double? {
    guard let spines, let spinesFound, spines > 0 else { return nil }
    return Double(spinesFound) / Double(spines)
  }

  /// The share of repeated readings of a title that made no second record. Nil if no title was read twice.
  var duplicatesFound: Double? {
    guard let titleReadings, let titlesRead, let titlesDoubled, titleReadings > titlesRead else { return nil }
    return 1 - Double(titlesDoubled) / Double(titleReadings - titlesRead)
  }
}

/// The JSON output of `swiftwing-tool trial recognition`: processor times in milliseconds, one for each
/// round.
package struct RecognitionOutcome: Codable, Sendable {
  package var recognizer: String
  package var lines = 0
  package var ours: [Double] = []
  /// The time of the bare network: as many inferences as take about as long as one reading.
  package var floor: [Double] = []
  /// The time of two runs of the network divided by that of one. If this is not near 2, the times are not usable.
  package var proof = Double.nan

  package init(recognizer: String) { self.recognizer = recognizer }
}
