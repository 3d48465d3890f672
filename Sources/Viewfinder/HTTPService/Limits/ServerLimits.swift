/// What a server grants its clients, each and all together. What is more is refused, and nothing of it is kept.
public struct ServerLimits: Sendable, Equatable {
  /// Connections served at once. A few more are told 503, and what comes beside those is closed.
  public var connections: Int
  /// Clients who are there and have not been let in yet; they take no place of those who have. One too many takes the place of the one that has
  /// waited longest. Nil where whoever connects is served at once.
  public var lobby: Int?
  /// Bytes of uploads at once, each from its first byte until its books are found; who sends more is told 503.
  public var uploadBytes: Int
  /// Bytes of the body of one request; a larger one is told 413.
  public var bodyBytes: Int
  /// Seconds to wait in all for a TLS handshake, and for the first line and the headers of a request, which then is told 408.
  public var headSeconds: Double
  /// A body, and a client that reads, may be waited for `headSeconds` longer than at this pace; then it is told 408.
  public var bytesPerSecond: Double
  /// Seconds that a connection is kept without a request.
  public var idleSeconds: Double
  /// Seconds that `Retry-After` names beside 503.
  public var retryAfter: Int

  public init(
    connections: Int = 256, uploadBytes: Int = 160 << 20, bodyBytes: Int = 80 << 20, headSeconds: Double = 10,
    bytesPerSecond: Double = 16_384, idleSeconds: Double = 60, retryAfter: Int = 5, lobby: Int? = nil
  ) {
    self.connections = connections
    self.lobby = lobby
    self.uploadBytes = uploadBytes
    self.bodyBytes = bodyBytes
    self.headSeconds = headSeconds
    self.bytesPerSecond = bytesPerSecond
    self.idleSeconds = idleSeconds
    self.retryAfter = retryAfter
  }

  /// Connections beside the served ones that are told 503.
  package static let standing = 16
  /// Least that an upload counts for, so that small ones are bounded too.
  package static let leastUpload = 1 << 14
  /// Most bytes of the text of one upload: a thousand spines with a thousand letters each.
  package static let textLimit = 1 << 20
  /// Most bytes of an idempotency key, which is kept for long.
  package static let keyLimit = 255
  /// Seconds to wait for what a refused client still sends, so that it reads its refusal.
  package static let farewell = 1.0
}

/// How much longer a client may keep the server waiting. Only waiting counts: what the server itself takes long for does not.
package struct Patience {
  package var seconds: Double

  package init(seconds: Double) { self.seconds = seconds }
}

/// Seconds of a clock that never goes back.
package typealias SecondsClock = @Sendable () -> Double
