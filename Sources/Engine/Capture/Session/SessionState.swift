/// Why a session is paused, on purpose. More causes may be added.
public struct PauseCause: RawRepresentable, Hashable, Sendable, Codable {
  /// Its name in reports and recordings, such as `background`.
  public let rawValue: String

  /// A cause that was read; the engine itself gives those below.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The program is not looked at.
  public static let background = PauseCause(rawValue: "background")
  /// Nobody did anything for a while.
  public static let inactivity = PauseCause(rawValue: "inactivity")
}

/// What a session shows to its user.
///
/// Every state has to be shown somehow, so this is a closed list: the compiler names the place that forgets one, and another state
/// comes only with another major version. Causes, reasons and errors in it may grow.
public enum SessionState: Hashable, Sendable, CustomStringConvertible {
  /// Nothing is open.
  case idle
  /// Everything that can be done ahead of `start()` is done.
  case warm
  /// Starting; the first frame is not here yet.
  case starting
  /// Starting takes longer than a user should wait without a word (COLD-3).
  case loading
  /// Pictures come. The only state in which the preview moves.
  case running
  /// No picture for now; the session resumes by itself.
  case interrupted(InterruptionReason)
  /// The device is closed on purpose, and the cause says until when.
  case paused(PauseCause)
  /// Only the user can help.
  case failed(CameraError)
  /// The recording has been played to its end.
  case ended

  /// Whether `capturePhoto` is accepted: while there is a picture, and while nobody does anything, since a press resumes that.
  public var acceptsPhotos: Bool { self == .running || self == .paused(.inactivity) }

  /// For a person: `running`, `interrupted (streamStalled)` and the like.
  public var description: String {
    switch self {
    case .idle: "idle"
    case .warm: "warm"
    case .starting: "starting"
    case .loading: "loading"
    case .running: "running"
    case .interrupted(let reason): "interrupted (\(reason.rawValue))"
    case .paused(let cause): "paused (\(cause.rawValue))"
    case .failed(let error): "failed: \(error)"
    case .ended: "ended"
    }
  }
}
