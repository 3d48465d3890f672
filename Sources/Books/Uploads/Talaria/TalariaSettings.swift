public import FoundationEssentials

/// The address of the backend and the time limits for it.
public struct TalariaSettings: Sendable, Equatable {
  /// The address, such as `https://talaria.example`. Plain HTTP is allowed only to this machine.
  public var server: String
  /// The settings of connections, including the trusted certificates. By default the system's.
  public var transport: TransportSettings
  /// The time limit of an upload and of a cleanup, in milliseconds.
  public var exchangeTimeout: Int
  /// The silence of an event stream, in milliseconds, after which it counts as dead. The backend sends a heartbeat every 30 s; the default allows
  /// half as long again.
  public var silence: Int
  /// The time limit of a job from its first connection to its end, in seconds. By default five minutes.
  public var jobLimit: TimeInterval
  /// The maximum size of an event in bytes.
  public var eventLimit: Int
  /// The delays before a broken event stream is reconnected, and the longest pause after a 429.
  public var retry: RetryPolicy

  /// Creates settings.
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
