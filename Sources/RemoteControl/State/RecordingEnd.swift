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
    trouble = recording.failure.map { "\($0)" } ?? Self.reason(recording.end)
  }

  /// Reasons may grow.
  private static func reason(_ end: Recording.End) -> String? {
    switch end {
    case .stopped: nil
    case .sessionEnded: "The camera was closed."
    case .formatChanged:
      "The camera's pictures have another size or format now, and a file has one; begin another."
    default: "The reason is \(end.rawValue)."
    }
  }

  var value: JSONValue { .object(["file": .text(file), "trouble": .text(trouble)]) }
}
