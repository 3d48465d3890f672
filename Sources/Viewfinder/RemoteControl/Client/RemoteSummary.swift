package import JSON

/// The part of the state document that a remote shows.
package struct RemoteSummary: Equatable, Sendable {
  package var isRecording = false
  package var isAppActive = false
  package var frameRate = 0.0
  /// The start of the recording in seconds since 1970. Nil if nothing is recorded.
  package var recordingStart: Double?
  /// The state of the session, such as `running`.
  package var session = ""
  /// The reason why there is no picture, and the remedy. Nil if there is a picture.
  package var message: String?
  /// The reason why the last recording ended by itself, kept until the next recording begins. Nil if nothing went wrong.
  package var recordingTrouble: String?

  /// - Throws: an error that names the missing member of the document.
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

  /// The length of the recording at `now`. Nil if nothing is recorded.
  /// - Parameter now: seconds since 1970.
  package func timecode(at now: Double) -> Timecode? {
    guard isRecording, let recordingStart else { return nil }
    return Timecode(seconds: now - recordingStart, rate: frameRate)
  }
}
