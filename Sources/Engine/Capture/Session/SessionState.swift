/// The cause of an intended pause. Later versions may add causes.
public struct PauseCause: RawRepresentable, Hashable, Sendable, Codable {
  /// The name in reports and recordings, such as `background`.
  public let rawValue: String

  /// Creates a cause from its name, when it is decoded. The engine itself uses only the constants below.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The program is in the background.
  public static let background = PauseCause(rawValue: "background")
  /// There was no activity for a while.
  public static let inactivity = PauseCause(rawValue: "inactivity")
}

/// The state that a session shows to its user.
///
/// Every state must be shown somehow, so this enumeration is closed: the compiler finds a place that forgets one, and only a new major
/// version adds a state. The causes, reasons and errors in it may grow.
public enum SessionState: Hashable, Sendable, CustomStringConvertible {
  /// Nothing is open.
  case idle
  /// The device is open and prepared: all work ahead of `start()` is done.
  case warm
  /// The session is starting; the first frame has not come yet.
  case starting
  /// The start takes so long that the user should be told (COLD-3).
  case loading
  /// Frames arrive. The only state in which the preview moves.
  case running
  /// No picture for now; the session resumes by itself.
  case interrupted(InterruptionReason)
  /// The device is closed on purpose; the cause tells until when.
  case paused(PauseCause)
  /// Only the user can help.
  case failed(CameraError)
  /// The recording has been played to its end.
  case ended

  /// Whether `capturePhoto` is accepted: while there is a picture, and during an inactivity pause, which a press ends.
  public var acceptsPhotos: Bool { self == .running || self == .paused(.inactivity) }

  /// Text for a person, such as `running` or `interrupted (streamStalled)`.
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
