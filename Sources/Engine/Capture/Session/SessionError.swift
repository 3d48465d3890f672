/// The error of a call that the present state of the session does not allow, or that failed because of the camera.
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
/// Switch on its ``code``. Later versions may add codes, so keep a default branch.
public struct SessionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a session error.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable {
    /// The name in reports, such as `captureRefused`.
    public let rawValue: String

    /// Creates a code from its name, when it is decoded. The engine itself uses only the constants below.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The session's state allows no photo; `state` names it.
    public static let captureRefused = Code(rawValue: "captureRefused")
    /// The session was interrupted before the photo's frame came; `interruption` gives the reason.
    public static let captureInterrupted = Code(rawValue: "captureInterrupted")
    /// The session was stopped or ended before the photo's frame came.
    public static let captureCancelled = Code(rawValue: "captureCancelled")
    /// The limit of waiting photos is reached.
    public static let tooManyPhotos = Code(rawValue: "tooManyPhotos")
    /// The photo output does not belong to this session.
    public static let outputNotAdded = Code(rawValue: "outputNotAdded")
    /// The photo output was removed from the session before the photo's frame came.
    public static let outputRemoved = Code(rawValue: "outputRemoved")
    /// The camera refused the exposure that the photo should have.
    public static let exposureRefused = Code(rawValue: "exposureRefused")
    /// No frame reached the exposure of the photo in time.
    public static let exposureNotReached = Code(rawValue: "exposureNotReached")
    /// The calling task was cancelled; the requested action continues.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The camera failed; `cameraError` gives the error.
    public static let camera = Code(rawValue: "camera")

    /// Whether `error` is a `SessionError` with this code, for clauses such as
    /// `catch SessionError.Code.captureRefused`.
    public static func ~= (code: Code, error: any Error) -> Bool { (error as? SessionError)?.code == code }
  }

  /// The kind of error. Base decisions on it.
  public let code: Code
  /// One sentence for a person: the action, the camera, the reason, the remedy.
  public let description: String
  /// The state of the session; nil with any code but `captureRefused`.
  public private(set) var state: SessionState?
  /// The reason why there was no picture; nil with any code but `captureInterrupted`.
  public private(set) var interruption: InterruptionReason?
  /// The error of the camera; nil with any code but `camera`.
  public private(set) var cameraError: CameraError?

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension SessionError {
  /// The session's state allows no photo.
  public static func captureRefused(_ state: SessionState) -> SessionError {
    var error = SessionError(
      .captureRefused, "cannot take a photo: the session is \(state); wait until it is running")
    error.state = state
    return error
  }

  /// The session was interrupted before the photo's frame came.
  public static func captureInterrupted(_ reason: InterruptionReason) -> SessionError {
    let why =
      reason.message.isEmpty
      ? "the program went to the background; take it again when it is back." : reason.message
    var error = SessionError(.captureInterrupted, "the photo was not taken: \(why)")
    error.interruption = reason
    return error
  }

  /// The session was stopped or ended before the photo's frame came.
  public static let captureCancelled = SessionError(
    .captureCancelled, "the photo was not taken: the session was stopped; start it again")

  /// The error for a photo in a state without a picture.
  static func noPicture(_ state: SessionState) -> SessionError {
    switch state {
    case .interrupted(let reason): .captureInterrupted(reason)
    case .paused(.background): .captureInterrupted(.background)
    case .failed(let error): .camera(error)
    case .idle, .ended: .captureCancelled
    case .warm, .starting, .loading, .running, .paused: .captureRefused(state)
    }
  }

  /// The limit of waiting photos is reached.
  public static func tooManyPhotos(limit: Int) -> SessionError {
    SessionError(
      .tooManyPhotos, "cannot take a photo: \(limit) photos are waiting already; wait for one of them")
  }

  /// The photo output does not belong to this session.
  public static let outputNotAdded = SessionError(
    .outputNotAdded,
    "cannot take a photo: its output was not added to this session; add it with `add` before")

  /// The photo output was removed before the photo's frame came.
  public static let outputRemoved = SessionError(
    .outputRemoved,
    "the photo was not taken: its output was removed from the session; add it with `add` again")

  /// The calling task was cancelled; the requested action continues.
  public static let cancelled = SessionError(
    .cancelled, "waiting for the session ended: the task was cancelled; end the session itself with `stop`")

  /// The camera failed, or the process lacks resources for it.
  public static func camera(_ cause: CameraError) -> SessionError {
    var error = SessionError(.camera, cause.description)
    error.cameraError = cause
    return error
  }
}
