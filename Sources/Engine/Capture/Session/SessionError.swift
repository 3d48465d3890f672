/// A call that the present state forbids, or that the camera fails.
///
/// ```swift
/// do {
///   show(try await session.capturePhoto(from: photos))
/// } catch SessionError.Code.captureRefused {
///   blink()
/// } catch {
///   say("\(error)")
/// }
/// ```
///
/// Which error it is, its ``code`` says; more codes may be added, so keep a branch for those that you do not know.
public struct SessionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Which error it is.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable {
    /// Its name in reports, such as `captureRefused`.
    public let rawValue: String

    /// A code that was read; the engine itself gives those below.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The shutter is disabled; `state` says what the session is doing.
    public static let captureRefused = Code(rawValue: "captureRefused")
    /// The photo was asked for, but the session was interrupted before its frame came; `interruption` says why.
    public static let captureInterrupted = Code(rawValue: "captureInterrupted")
    /// The photo was asked for, but the session was stopped or ended before its frame came.
    public static let captureCancelled = Code(rawValue: "captureCancelled")
    /// As many photos as may are waiting already.
    public static let tooManyPhotos = Code(rawValue: "tooManyPhotos")
    /// The photo output is none of this session's.
    public static let outputNotAdded = Code(rawValue: "outputNotAdded")
    /// The photo was asked for, but its output was removed from the session before its frame came.
    public static let outputRemoved = Code(rawValue: "outputRemoved")
    /// The photo was to have an exposure that the camera does not take.
    public static let exposureRefused = Code(rawValue: "exposureRefused")
    /// The photo was to have an exposure that no frame had in time.
    public static let exposureNotReached = Code(rawValue: "exposureNotReached")
    /// The task that asked was cancelled; what it asked for goes on.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The camera fails; `cameraError` says how.
    public static let camera = Code(rawValue: "camera")

    /// Whether `error` is a `SessionError` with this code: `catch SessionError.Code.captureRefused`.
    public static func ~= (code: Code, error: any Error) -> Bool { (error as? SessionError)?.code == code }
  }

  /// Which error it is: decide by this.
  public let code: Code
  /// One sentence for a person: what we were doing, with what, the reason, the remedy.
  public let description: String
  /// What the session was doing; nil with any code but `captureRefused`.
  public private(set) var state: SessionState?
  /// Why there was no picture; nil with any code but `captureInterrupted`.
  public private(set) var interruption: InterruptionReason?
  /// How the camera failed; nil with any code but `camera`.
  public private(set) var cameraError: CameraError?

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension SessionError {
  /// The shutter is disabled in this state.
  public static func captureRefused(_ state: SessionState) -> SessionError {
    var error = SessionError(
      .captureRefused, "cannot take a photo: the session is \(state); wait until it is running")
    error.state = state
    return error
  }

  /// The session was interrupted before the photo's frame came.
  public static func captureInterrupted(_ reason: InterruptionReason) -> SessionError {
    let why = reason.message.isEmpty ? "the program went to the background." : reason.message
    var error = SessionError(.captureInterrupted, "the photo was not taken: \(why)")
    error.interruption = reason
    return error
  }

  /// The session was stopped or ended before the photo's frame came.
  public static let captureCancelled = SessionError(
    .captureCancelled, "the photo was not taken: the session was stopped; start it again")

  /// Why there is no picture to take a photo of in this state.
  static func noPicture(_ state: SessionState) -> SessionError {
    switch state {
    case .interrupted(let reason): .captureInterrupted(reason)
    case .paused(.background): .captureInterrupted(.background)
    case .failed(let error): .camera(error)
    case .idle, .ended: .captureCancelled
    case .warm, .starting, .loading, .running, .paused: .captureRefused(state)
    }
  }

  /// So many photos are waiting already.
  public static func tooManyPhotos(limit: Int) -> SessionError {
    SessionError(
      .tooManyPhotos, "cannot take a photo: \(limit) are waiting already; wait for one of them")
  }

  /// The photo output is none of this session's.
  public static let outputNotAdded = SessionError(
    .outputNotAdded,
    "cannot take a photo: its output was not added to this session; add it with `add` before")

  /// The photo output was removed before the photo's frame came.
  public static let outputRemoved = SessionError(
    .outputRemoved,
    "the photo was not taken: its output was removed from the session; add it with `add` again")

  /// The task that asked was cancelled; what it asked for goes on.
  public static let cancelled = SessionError(
    .cancelled, "the session was not waited for: the task was cancelled; end the session with `stop`")

  /// The camera fails, or the process has nothing left for it.
  public static func camera(_ cause: CameraError) -> SessionError {
    var error = SessionError(.camera, cause.description)
    error.cameraError = cause
    return error
  }
}
