import Logging

/// Passes swift-log's lines to a program of this package. Each line is one write.
struct LineHandler: LogHandler {
  let write: @Sendable (String) -> Void
  var metadata: Logger.Metadata = [:]
  /// The lowest level, since unwanted lines are filtered before they are made.
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: Logging.LogEvent) { write(event.message.description) }
}
