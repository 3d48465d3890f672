public import FoundationEssentials

/// Where the backend is and how long to wait for it.
public struct TalariaSettings: Sendable, Equatable {
  /// Such as `https://talaria.example`; plain HTTP only to this machine itself.
  public var server: String
  /// How connections are made, and which certificates are trusted. Default: the system's.
  public var transport: TransportSettings
  /// Milliseconds for an upload, and for a cleanup.
  public var exchangeTimeout: Int
  /// Milliseconds without a byte on an event stream before it counts as dead: a heartbeat comes every 30 s, and half as long
  /// again is allowed for it.
  public var silence: Int
  /// Seconds for a job from its first connection to its end: five minutes.
  public var jobLimit: TimeInterval
  /// Most bytes of one event.
  public var eventLimit: Int
  /// When an event stream that broke off is taken up again, and how long a 429 is heeded.
  public var retry: RetryPolicy

  /// - Parameter server: the address, without a path. The other settings need no change.
  public init(
    server: String, transport: TransportSettings = TransportSettings(), exchangeTimeout: Int = 60_000,
    silence: Int = 45_000, jobLimit: TimeInterval = 300, eventLimit: Int = 1 << 16,
    retry: RetryPolicy = RetryPolicy()
  ) {
    self.server = server
    self.transport = transport
    self.exchangeTimeout = exchangeTimeout
    self.silence = silence
    self.jobLimit = jobLimit
    self.eventLimit = eventLimit
    self.retry = retry
  }
}
