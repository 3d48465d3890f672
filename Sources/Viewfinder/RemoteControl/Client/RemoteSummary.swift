package import JSON

/// What a remote shows of the state document.
package struct RemoteSummary: Equatable, Sendable {
  package var isRecording = false
  package var isAppActive = false
  package var frameRate = 0.0
  /// Seconds since 1970; nil while nothing is recorded.
  package var recordingStart: Double?
  /// What the session is, such as `running`.
  package var session = ""
  /// Why there is no picture, and what to do; nil where there is one.
  package var message: String?
  /// Why the last recording ended by itself, until the next begins; nil where it did not.
  package var recordingTrouble: String?

  /// - Throws: what of the document is missing.
  package init(_ document: JSONValue) throws(JSONError) {
    let fields = try JSONFields(document)
    isRecording = try fields.bool("isRecording")
    isAppActive = try fields.bool("isAppActive")
    frameRate = try fields.number("selectedFrameRate", in: 0...100_000)
    if fields.has("recordingStartTime") {
      recordingStart = try fields.number("recordingStartTime", in: 0...1e12)
    }
    let session = try fields.object("session")
    self.session = try session.string("state")
    if session.has("message") { message = try session.string("message") }
    recordingTrouble = try Self.trouble(fields)
  }

  private static func trouble(_ fields: JSONFields) throws(JSONError) -> String? {
    guard fields.has("recording") else { return nil }
    let recording = try fields.object("recording")
    guard recording.has("ended") else { return nil }
    let ended = try recording.object("ended")
    return ended.has("trouble") ? try ended.string("trouble") : nil
  }

  /// How long is recorded by now; nil while nothing is.
  /// - Parameter now: seconds since 1970.
  package func timecode(at now: Double) -> Timecode? {
    guard isRecording, let recordingStart else { return nil }
    return Timecode(seconds: now - recordingStart, rate: frameRate)
  }
}
