import JSON
import Recording

/// How a recording ended, as a person is told.
struct RecordingEnd: Hashable, Sendable {
  /// The name of its file.
  var file: String
  /// Why it ended by itself, as a sentence; nil where somebody stopped it and nothing went wrong.
  var trouble: String?

  init(_ recording: Recording) {
    file = recording.path.split(separator: "/").last.map(String.init) ?? recording.path
    trouble = recording.unaskedEnd ?? (recording.end == .sessionEnded ? "The camera was closed." : nil)
  }

  var value: JSONValue { .object(["file": .text(file), "trouble": .text(trouble)]) }
}
