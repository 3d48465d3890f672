import FoundationEssentials

/// What an event of a job's stream says.
///
/// The seed names the events; their JSON is this project's: `progress` `{"stage", "fraction"?}`, `result` `{"index"?, "title",
/// "author"?, "isbn"?, "coverUrl"?, "format"?, "confidence"?}`, `complete` `{"books"?}` (how many results there were),
/// `error` `{"message", "retryable"?}`.
enum TalariaEvent {
  case progress(stage: String, fraction: Double?)
  case result(index: Int?, BookFinding)
  case complete(books: Int?)
  case failure(message: String, isRetryable: Bool)
  /// Of a kind that is not ours; passed over, as the protocol may grow.
  case other

  private struct Progress: Decodable {
    var stage: String?
    var fraction: Double?
  }
  private struct Result: Decodable {
    var index: Int?
    var title: String?
    var author: String?
    var isbn: String?
    var coverUrl: String?
    var format: String?
    var confidence: Double?
  }
  private struct Complete: Decodable { var books: Int? }
  private struct Failure: Decodable {
    var message: String?
    var retryable: Bool?
  }

  /// - Throws: a decoding error when the data is not the event's.
  init(_ event: ServerSentEvent) throws {
    func decode<Payload: Decodable>(_ type: Payload.Type) throws -> Payload {
      try JSONDecoder().decode(type, from: Data(event.data.utf8))
    }
    switch event.type {
    case "progress":
      let payload = try decode(Progress.self)
      self = .progress(
        stage: String((payload.stage ?? "working").prefix(100)),
        fraction: payload.fraction.map { min(max($0, 0), 1) })
    case "result":
      let payload = try decode(Result.self)
      self = .result(
        index: payload.index,
        BookFinding(
          isbn: payload.isbn, title: payload.title ?? "", author: payload.author ?? "",
          coverURL: payload.coverUrl,
          format: payload.format, confidence: payload.confidence))
    case "complete": self = .complete(books: event.data.isEmpty ? nil : try decode(Complete.self).books)
    case "error":
      let payload = try decode(Failure.self)
      let printable = (payload.message ?? "no reason given").prefix(200).filter { !$0.isNewline }
      self = .failure(message: printable, isRetryable: payload.retryable ?? true)
    default: self = .other
    }
  }
}
