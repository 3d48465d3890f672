/// What `swiftwing-tool trial station` tells. Times in milliseconds.
package struct StationOutcome: Codable, Sendable {
  package var recognizer = ""
  /// Photos that were acknowledged, and how many of them reached the library.
  package var accepted = 0
  package var delivered = 0
  /// From the press until it was on disk, and until its books were in the library.
  package var acceptTimes: [Double] = []
  package var latencies: [Double] = []
  /// From the first press to the last delivery.
  package var seconds = 0.0
  /// From the backend's return to the empty queue; nil without an outage.
  package var drainTime: Double?
  package var books = 0
  package var copies = 0
  /// Of the spines of the corpus: how many the library has, and how many of its books are none of them.
  package var spines: Int?
  package var spinesFound: Int?
  package var booksBesides: Int?
  /// Titles of the corpus by what became of them: read in any photo; how often, over all photos; read but not in the library; and
  /// records of the library beyond one a copy on the shelf.
  package var titlesRead: Int?
  package var titleReadings: Int?
  package var titlesLost: Int?
  package var titlesDoubled: Int?
  /// What the backend saw.
  package var uploads = 0
  package var jobs = 0
  package var openJobs = 0
  package var imagesLeft = 0
  package var fallbacks = 0
  /// Pictures presented in each whole second from the first picture on, and in each that is counted back from the end.
  package var previewRates: [Double] = []
  /// From the first picture to the end, in seconds.
  package var previewSeconds = 0.0

  package init() {}
}

extension StationOutcome {
  var lost: Int { accepted - delivered }

  /// Share of the shelf's titles that the library has; nil where what stands there is not known.
  var titlesFound: Double? {
    guard let spines, let spinesFound, spines > 0 else { return nil }
    return Double(spinesFound) / Double(spines)
  }

  /// Of the times a title was read again, the share that made no second record; nil where none was.
  var duplicatesFound: Double? {
    guard let titleReadings, let titlesRead, let titlesDoubled, titleReadings > titlesRead else { return nil }
    return 1 - Double(titlesDoubled) / Double(titleReadings - titlesRead)
  }
}

/// What `swiftwing-tool trial recognition` tells: processor time in milliseconds, one a round.
package struct RecognitionOutcome: Codable, Sendable {
  package var recognizer: String
  package var lines = 0
  package var ours: [Double] = []
  /// Of as many inferences as take about as long as one reading.
  package var floor: [Double] = []
  /// The network run twice, of what it takes once: near 2, or the times are no measure.
  package var proof = Double.nan

  package init(recognizer: String) { self.recognizer = recognizer }
}
