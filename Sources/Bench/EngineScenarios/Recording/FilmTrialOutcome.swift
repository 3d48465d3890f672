/// The JSON output of `swiftwing-tool trial film`.
package struct FilmTrialOutcome: Codable, Sendable {
  /// One film whose writing process was killed.
  package struct Life: Codable, Sendable {
    /// The time from the first frame to the kill, in milliseconds.
    package var milliseconds: Int
    /// The number of frames that the camera had delivered.
    package var came: Int
    /// Frames in the file.
    package var frames: Int
    /// The time from the end of the file's last frame to the last exposure that was delivered, in
    /// milliseconds.
    package var lacking: Double
    /// The fault found in the file. Nil if there is none.
    package var trouble: String?
  }

  /// The result of a recording, as its process reports it at the end.
  package struct Ending: Codable, Sendable {
    package var end: String
    package var failure: String?
    package var written: Int
    package var dropped: Int
    /// The number of frames that the camera delivered.
    package var delivered = 0
    /// The number of frames that the preview showed. 0 without a preview.
    package var shown = 0
    /// The memory of the process after the first second, in bytes.
    package var memoryBefore = 0
    /// The memory of the process at the end, in bytes.
    package var memoryAfter = 0
    /// The rate of the preview, in frames per second.
    package var shownRate = 0.0
  }

  package var lives: [Life]
  /// The result of the film that was not killed: it ended by itself, or the disk was full.
  package var ending: Ending?
  /// The number of frames in the file of that film.
  package var frames: Int
  /// The number of places in that file at which frames are missing.
  package var gaps: Int
  package var bytes: Int
  /// The fault found in that file. Nil if there is none.
  package var trouble: String?
  /// Whether ffprobe has checked the files too.
  package var isSecondReaderAsked: Bool

  /// The names of the readers, for a note.
  var readers: String {
    isSecondReaderAsked
      ? "Read by our own reader and by ffprobe." : "ffprobe is not installed: read by our own reader alone."
  }
}

extension FilmTrialOutcome {
  package init(isSecondReaderAsked: Bool) {
    self.init(
      lives: [], frames: 0, gaps: 0, bytes: 0, isSecondReaderAsked: isSecondReaderAsked)
  }
}

extension FilmTrialOutcome.Life {
  package init(milliseconds: Int, came: Int) {
    self.init(milliseconds: milliseconds, came: came, frames: 0, lacking: 0)
  }
}

extension FilmTrialOutcome.Ending {
  package init(_ end: String, failure: String?, written: Int, dropped: Int) {
    self.init(end: end, failure: failure, written: written, dropped: dropped)
  }
}
