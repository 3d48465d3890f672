/// Why a session is paused, on purpose.
public enum PauseCause: String, Hashable, Sendable, Codable { case background, inactivity }

/// What a session shows to its user.
public enum SessionState: Hashable, Sendable, CustomStringConvertible {
  /// Nothing is open.
  case idle
  /// Everything that can be done ahead of `start()` is done.
  case warm
  /// Starting; the first frame is not here yet.
  case starting
  /// Starting takes longer than a user should wait without a word (COLD-3).
  case loading
  case running
  /// No picture for now; the session resumes by itself.
  case interrupted(InterruptionReason)
  case paused(PauseCause)
  /// Only the user can help.
  case failed(CameraError)
  /// The recording has been played to its end.
  case ended

  /// Whether `capturePhoto` is accepted: while there is a picture, and while nobody does anything, since a press resumes that.
  public var acceptsPhotos: Bool { self == .running || self == .paused(.inactivity) }

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

/// A call that the present state forbids.
public enum SessionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The shutter is disabled.
  case captureRefused(SessionState)
  /// The photo was asked for, but the session was interrupted or ended before its frame came.
  case captureInterrupted(InterruptionReason)
  case captureCancelled
  case tooManyPhotos(limit: Int)
  /// The photo output is none of this session's.
  case outputNotAdded
  /// The photo was asked for, but its output was removed from the session before its frame came.
  case outputRemoved
  /// The task that asked was cancelled; what it asked for goes on.
  case cancelled
  case camera(CameraError)

  public var description: String {
    switch self {
    case .captureRefused(let state):
      "cannot take a photo: the session is \(state); wait until it is running"
    case .captureInterrupted(let reason):
      "the photo was not taken: \(reason.message.isEmpty ? "the program went to the background." : reason.message)"
    case .captureCancelled: "the photo was not taken: the session was stopped; start it again"
    case .tooManyPhotos(let limit):
      "cannot take a photo: \(limit) are waiting already; wait for one of them"
    case .outputNotAdded:
      "cannot take a photo: its output was not added to this session; add it with `add` before"
    case .outputRemoved:
      "the photo was not taken: its output was removed from the session; add it with `add` again"
    case .cancelled: "the session was not waited for: the task was cancelled; end the session with `stop`"
    case .camera(let error): error.description
    }
  }
}
