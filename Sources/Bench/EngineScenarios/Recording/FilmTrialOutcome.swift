/// What `swiftwing-tool trial film` tells.
package struct FilmTrialOutcome: Codable, Sendable {
  /// One film whose writer was killed.
  package struct Life: Codable, Sendable {
    /// After its first frame.
    package var milliseconds: Int
    /// Frames that had come.
    package var came: Int
    /// Frames in the file.
    package var frames: Int
    /// From the end of the file's last frame to the last exposure that came, milliseconds.
    package var lacking: Double
    /// What was wrong with the file; nil for nothing.
    package var trouble: String?
  }

  /// What the process tells of its recording when that has ended.
  package struct Ending: Codable, Sendable {
    package var end: String
    package var failure: String?
    package var written: Int
    package var dropped: Int
    /// By the camera.
    package var delivered = 0
    /// By the preview; 0 where there is none.
    package var shown = 0
    /// Bytes of the process in memory, after the first second and at the end.
    package var memoryBefore = 0
    package var memoryAfter = 0
    /// Frames a second that the preview showed.
    package var shownRate = 0.0
  }

  package var lives: [Life]
  /// Of the one that ran alone to the end of its time, or of its disk.
  package var ending: Ending?
  /// Frames in its file.
  package var frames: Int
  /// Times in its file at which a frame is missing.
  package var gaps: Int
  package var bytes: Int
  /// What was wrong with its file; nil for nothing.
  package var trouble: String?
  /// Whether ffprobe was asked too.
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
