/// The limits of a server, for each client and for all together. A request that exceeds a limit is refused,
/// and none of its data are kept.
public struct ServerLimits: Sendable, Equatable {
  /// The number of connections served at once. A few more are answered 503; any beyond those are closed.
  public var connections: Int
  /// The number of connections that wait for admission; they take no slot. One more displaces the connection that has waited longest. Nil if
  /// every connection is served at once.
  public var lobby: Int?
  /// The number of bytes in all current uploads, each counted from its first byte until its books are found. An upload beyond that is answered
  /// 503.
  public var uploadBytes: Int
  /// The maximum body of one request in bytes. A larger one is answered 413.
  public var bodyBytes: Int
  /// The maximum total wait in seconds for a TLS handshake, and for the request line and headers; then the client is answered 408.
  public var headSeconds: Double
  /// The minimum pace of a client in bytes per second. A request body may take `headSeconds` longer than at this pace; then the client is
  /// answered 408. An answer may take `idleSeconds` longer; then the connection ends.
  public var bytesPerSecond: Double
  /// The time in seconds that a connection stays open without a request.
  public var idleSeconds: Double
  /// The seconds of `Retry-After` in a 503 answer.
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

  /// The number of connections beyond the served ones that are answered 503.
  package static let standing = 16
  /// The number of bytes that a smaller upload counts as, so that the number of uploads is bounded too.
  package static let leastUpload = 1 << 14
  /// The maximum number of bytes in one text upload: a thousand spines with a thousand letters each.
  package static let textLimit = 1 << 20
  /// The maximum number of bytes in an idempotency key, which is kept for long.
  package static let keyLimit = 255
  /// The time in seconds for which bytes of a refused client are discarded, so that it reads its refusal.
  package static let farewell = 1.0
}

/// The time that a client may still make the server wait. Only waiting counts, not the server's own work.
package struct Patience {
  package var seconds: Double

  package init(seconds: Double) { self.seconds = seconds }
}

/// A monotonic clock: a function that returns its seconds.
package typealias SecondsClock = @Sendable () -> Double
