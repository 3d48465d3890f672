import Harness
import Probes

/// What `swiftwing-tool trial film` tells; see `FilmTrial` there.
struct FilmTrialOutcome: Decodable {
  struct Life: Decodable {
    var milliseconds: Int
    var came: Int
    var frames: Int
    var lacking: Double
    var trouble: String?
  }

  struct Ending: Decodable {
    var end: String
    var failure: String?
    var written: Int
    var dropped: Int
    var delivered: Int
    var shown: Int
    var memoryBefore: Int
    var memoryAfter: Int
    var shownRate: Double
  }

  var lives: [Life]
  var ending: Ending?
  var frames: Int
  var gaps: Int
  var bytes: Int
  var trouble: String?
  var isSecondReaderAsked: Bool

  /// Both readers' names, for a note.
  var readers: String {
    isSecondReaderAsked
      ? "Read by our own reader and by ffprobe." : "ffprobe is not installed: read by our own reader alone."
  }
}

extension Rig {
  /// The fault, for a process that records, if it is one of these.
  func filming(_ faults: InjectedFault...) -> [String] {
    guard let fault, faults.contains(fault) else { return [] }
    return ["--fault", fault.description]
  }
}
