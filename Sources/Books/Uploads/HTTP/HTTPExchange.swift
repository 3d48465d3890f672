/// A request of this room.
struct HTTPRequest: Sendable {
  enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case delete = "DELETE"
  }

  var method = Method.get
  var url: String
  /// Names and values without line breaks.
  var headers: [(name: String, value: String)] = []
  /// Sent with POST.
  var body: [UInt8] = []
  /// Milliseconds for the whole exchange.
  var timeout: Int
  /// Milliseconds without a byte after which the server counts as dead; `nil`: only `timeout` counts.
  var silence: Int?
}

/// The beginning of an answer.
struct ResponseHead: Sendable, Equatable {
  var status = 0
  /// Names in lower case; the last of several wins.
  var headers: [String: String] = [:]
}
