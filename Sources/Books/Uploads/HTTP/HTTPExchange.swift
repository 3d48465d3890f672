/// An HTTP request.
struct HTTPRequest: Sendable {
  enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case delete = "DELETE"
  }

  var method = Method.get
  var url: String
  /// The headers. Names and values have no line breaks.
  var headers: [(name: String, value: String)] = []
  /// The body, sent with POST.
  var body: [UInt8] = []
  /// The time limit of the whole exchange, in milliseconds.
  var timeout: Int
  /// The silence in milliseconds after which the server counts as dead. Nil if only `timeout` applies.
  var silence: Int?
}

/// The status and headers of an answer.
struct ResponseHead: Sendable, Equatable {
  var status = 0
  /// The headers, with names in lower case. Of repeated headers the last one is kept.
  var headers: [String: String] = [:]
}
