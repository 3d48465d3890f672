import JSON
import Recording

/// The end of a recording, for a person.
struct RecordingEnd: Hashable, Sendable {
  var file: String
  /// The reason why the recording ended by itself, as a sentence. Nil if the recording was stopped and nothing went wrong.
  var trouble: String?

  init(_ recording: Recording) {
    file = recording.path.split(separator: "/").last.map(String.init) ?? recording.path
    trouble = recording.unaskedEnd ?? (recording.end == .sessionEnded ? "The camera was closed." : nil)
  }

  var value: JSONValue { .object(["file": .text(file), "trouble": .text(trouble)]) }
}
