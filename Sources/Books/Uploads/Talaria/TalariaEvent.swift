import Bibliography
import FoundationEssentials
import Library

/// An event of a job's stream.
///
/// The seed names the events; this project defines their JSON: `progress` `{"stage", "fraction"?}`, `result` `{"index"?, "title", "author"?, "isbn"?,
/// "coverUrl"?, "format"?, "confidence"?}`, `complete` `{"books"?}` (the number of results), `error` `{"message", "retryable"?}`. A result has a
/// title or a valid ISBN; a later scan may supply its missing fields (LIB-1).
enum TalariaEvent {
  case progress(stage: String, fraction: Double?)
  case result(index: Int?, BookFinding)
  case complete(books: Int?)
  case failure(message: String, isRetryable: Bool)
  /// An event of an unknown type, which is ignored, since the protocol may grow.
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

  /// The flaw of an event, as a clause.
  struct Malformed: Error, Equatable {
    let reason: String
  }

  /// Parses an event. Its texts are cleaned and cut to the library's limits.
  /// - Throws: a decoding error if the data do not fit the event's type; `Malformed`.
  init(_ event: ServerSentEvent) throws {
    func decode<Payload: Decodable>(_ type: Payload.Type) throws -> Payload {
      try JSONDecoder().decode(type, from: Data(event.data.utf8))
    }
    switch event.type {
    case "progress":
      let payload = try decode(Progress.self)
      self = .progress(
        stage: CleanText.line(payload.stage ?? "working", characters: 100, bytes: 400),
        fraction: payload.fraction.map { min(max($0, 0), 1) })
    case "result":
      let payload = try decode(Result.self)
      self = .result(index: try Self.position(payload.index), try Self.finding(payload))
    case "complete":
      self = .complete(books: event.data.isEmpty ? nil : try Self.count(try decode(Complete.self).books))
    case "error":
      let payload = try decode(Failure.self)
      let message = CleanText.line(payload.message ?? "", characters: 200, bytes: 800)
      self = .failure(
        message: message.isEmpty ? "no reason given" : message, isRetryable: payload.retryable ?? true)
    default: self = .other
    }
  }

  private static func position(_ index: Int?) throws(Malformed) -> Int? {
    guard index.map((0..<JobResults.limit).contains) ?? true else {
      throw Malformed(reason: "the index of a result is \(index ?? 0), not 0 to \(JobResults.limit - 1)")
    }
    return index
  }

  private static func count(_ books: Int?) throws(Malformed) -> Int? {
    guard books.map((0...JobResults.limit).contains) ?? true else {
      throw Malformed(reason: "it counts \(books ?? 0) books, not 0 to \(JobResults.limit)")
    }
    return books
  }

  private static func finding(_ payload: Result) throws(Malformed) -> BookFinding {
    let finding = BookFinding(
      isbn: payload.isbn, title: payload.title ?? "", author: payload.author ?? "",
      coverURL: payload.coverUrl,
      format: payload.format, confidence: payload.confidence)
    guard let normal = finding.normalized() else {
      throw Malformed(reason: "a result has neither a title nor an ISBN whose check digit holds")
    }
    return normal
  }
}
