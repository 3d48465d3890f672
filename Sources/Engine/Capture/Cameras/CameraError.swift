import System

/// An error of a camera, with its cause and remedy.
///
/// ```swift
/// do throws(SessionError) {
///   try await session.start()
/// } catch {
///   if error.cameraError?.code == .busy { print("somebody else has it") }
/// }
/// ```
///
/// Switch on its ``code``. Later versions may add codes, so keep a default branch. A camera of your own throws one of these
/// errors, or an error with a new code (``init(_:source:description:reason:interruption:isUnavailability:)``).
public struct CameraError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a camera error.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable {
    /// The name in reports, such as `busy`.
    public let rawValue: String

    /// Creates a code of your own, for a camera of your own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No such source exists (an unknown name, a missing node).
    public static let notFound = Code(rawValue: "notFound")
    /// This user may not open the camera.
    public static let permissionDenied = Code(rawValue: "permissionDenied")
    /// Another program uses the camera.
    public static let busy = Code(rawValue: "busy")
    /// The camera was connected before and is gone now.
    public static let disconnected = Code(rawValue: "disconnected")
    /// The camera delivered no usable picture for too long.
    public static let stalled = Code(rawValue: "stalled")
    /// A system call or the source itself failed.
    public static let failed = Code(rawValue: "failed")
    /// The device or its driver cannot be used as it is. Waiting does not help; another device, port or kernel may.
    public static let broken = Code(rawValue: "broken")
    /// This process, not the camera, is out of threads or descriptors.
    public static let noResources = Code(rawValue: "noResources")
    /// The camera does not offer the requested format.
    public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
    /// The contents of the source are invalid.
    public static let invalidSource = Code(rawValue: "invalidSource")

    /// Whether `error` is a `CameraError` with this code, for clauses such as `catch CameraError.Code.busy`.
    public static func ~= (code: Code, error: any Error) -> Bool { (error as? CameraError)?.code == code }
  }

  /// The kind of error. Base decisions on it.
  public let code: Code
  /// The camera as its user wrote it.
  public let source: String
  /// The message of the driver or the system; empty if the code says everything.
  public let reason: String
  /// One sentence for a person: the action, the camera, the reason, the remedy.
  public let description: String
  /// The interruption that this error causes in a running session, which then waits for the camera; nil if waiting does not help.
  public let interruption: InterruptionReason?
  /// False if the request itself is wrong; true if the same request may succeed at another time, or with another device or machine. Whether
  /// waiting helps is told by `interruption`.
  public let isUnavailability: Bool

  /// Creates an error for a camera of your own.
  /// - Parameters:
  ///   - description: one sentence for a person: the action, the camera, the reason, the remedy.
  ///   - reason: the part of `description` that came from the driver or the system.
  ///   - interruption: the interruption that the error causes in a running session, if waiting helps.
  public init(
    _ code: Code, source: String, description: String, reason: String = "",
    interruption: InterruptionReason? = nil, isUnavailability: Bool = true
  ) {
    self.code = code
    self.source = source
    self.reason = reason
    self.description = description
    self.interruption = interruption
    self.isUnavailability = isUnavailability
  }
}

// MARK: - The engine's own

extension CameraError {
  /// - Parameter remedy: advice for the user, as the last clause of a sentence.
  public static func notFound(_ source: String, remedy: String) -> CameraError {
    CameraError(
      .notFound, source: source, description: "cannot open \(source): there is no such camera; \(remedy)")
  }

  /// This user may not open the camera.
  public static func permissionDenied(_ source: String) -> CameraError {
    CameraError(
      .permissionDenied, source: source,
      description:
        "cannot open \(source): permission denied; add yourself to the group that owns it (usually `sudo usermod -aG video $USER`) and log in again"
    )
  }

  /// Another program uses the camera. A running session waits for it.
  public static func busy(_ source: String) -> CameraError {
    CameraError(
      .busy, source: source,
      description: "cannot start \(source): another program is using it; close that program",
      interruption: .deviceInUse)
  }

  /// The camera was connected before and is gone now. A running session waits for it.
  public static func disconnected(_ source: String) -> CameraError {
    CameraError(
      .disconnected, source: source, description: "lost \(source): it was disconnected; plug it in again",
      interruption: .deviceDisconnected)
  }

  /// The camera delivered no usable picture for `waited`. A running session restarts it.
  public static func stalled(_ source: String, after waited: Duration) -> CameraError {
    CameraError(
      .stalled, source: source,
      description:
        "\(source) delivered no usable picture for \(Int(waited.milliseconds)) ms; it is restarted",
      interruption: .streamStalled)
  }

  /// A system call or the source itself failed.
  public static func failed(_ source: String, reason: String) -> CameraError {
    CameraError(
      .failed, source: source, description: "\(source) failed: \(reason)", reason: reason,
      interruption: .deviceReset)
  }

  /// The device or its driver cannot be used as it is. Waiting does not help; another device, port or kernel may.
  public static func broken(_ source: String, reason: String) -> CameraError {
    CameraError(.broken, source: source, description: "cannot use \(source): \(reason)", reason: reason)
  }

  /// This process, not the camera, is out of threads or descriptors.
  public static func noResources(_ source: String, reason: String) -> CameraError {
    CameraError(
      .noResources, source: source, description: "cannot start \(source): \(reason)", reason: reason)
  }

  /// The camera does not offer the requested format.
  public static func unsupportedFormat(_ source: String, wanted: String, offered: String) -> CameraError {
    CameraError(
      .unsupportedFormat, source: source,
      description: "\(source) does not offer \(wanted); it offers \(offered)", isUnavailability: false)
  }

  /// The contents of the source are invalid.
  public static func invalidSource(_ source: String, reason: String) -> CameraError {
    CameraError(
      .invalidSource, source: source, description: "cannot use \(source): \(reason)", reason: reason,
      isUnavailability: false)
  }

  init(_ shortage: ResourceShortage, source: String) {
    self = .noResources(source, reason: "\(shortage)")
  }
}
