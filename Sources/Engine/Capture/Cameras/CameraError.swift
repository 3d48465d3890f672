import Imagery
import System

/// What a camera can fail with, each with its cause and remedy.
///
/// ```swift
/// do throws(SessionError) {
///   try await session.start()
/// } catch {
///   if error.cameraError?.code == .busy { print("somebody else has it") }
/// }
/// ```
///
/// Which error it is, its ``code`` says; more codes may be added, so keep a branch for those that you do not know. A camera of your own throws one of
/// these, or an error with a code of its own (``init(_:source:description:reason:interruption:isUnavailability:)``).
public struct CameraError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Which error it is.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable {
    /// Its name in reports, such as `busy`.
    public let rawValue: String

    /// A code of your own, for a camera of your own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no such source (an unknown name, a node that is not there).
    public static let notFound = Code(rawValue: "notFound")
    /// This user may not open it.
    public static let permissionDenied = Code(rawValue: "permissionDenied")
    /// Another program uses it.
    public static let busy = Code(rawValue: "busy")
    /// It was there, and is gone.
    public static let disconnected = Code(rawValue: "disconnected")
    /// It delivered no usable picture for too long.
    public static let stalled = Code(rawValue: "stalled")
    /// A system call or the source itself failed.
    public static let failed = Code(rawValue: "failed")
    /// The device or its driver cannot be used as it is; waiting does not help.
    public static let broken = Code(rawValue: "broken")
    /// This process, not the camera, is out of threads or descriptors.
    public static let noResources = Code(rawValue: "noResources")
    /// The camera has nothing in the wanted format.
    public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
    /// The source cannot be read as what it claims to be.
    public static let invalidSource = Code(rawValue: "invalidSource")

    /// Whether `error` is a `CameraError` with this code: `catch CameraError.Code.busy`.
    public static func ~= (code: Code, error: any Error) -> Bool { (error as? CameraError)?.code == code }
  }

  /// Which error it is: decide by this.
  public let code: Code
  /// The camera as its user wrote it.
  public let source: String
  /// What the driver or the system said; empty where the code says all.
  public let reason: String
  /// One sentence for a person: what we were doing, with what, the reason, the remedy.
  public let description: String
  /// The interruption this is while a session runs, which is then waited out; nil where waiting would not help.
  public let interruption: InterruptionReason?
  /// The camera may be there another time; otherwise what was asked for is wrong in itself.
  public let isUnavailability: Bool

  /// An error of a camera of your own.
  /// - Parameters:
  ///   - description: one sentence for a person: what was being done, with what, the reason, the remedy.
  ///   - reason: of that, what the driver or the system said.
  ///   - interruption: what it is while a session runs, if waiting helps.
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
  /// - Parameter remedy: what the user can do about it, as the last clause of a sentence.
  public static func notFound(_ source: String, remedy: String) -> CameraError {
    CameraError(
      .notFound, source: source, description: "cannot open \(source): there is no such camera; \(remedy)")
  }

  /// This user may not open it.
  public static func permissionDenied(_ source: String) -> CameraError {
    CameraError(
      .permissionDenied, source: source,
      description:
        "cannot open \(source): permission denied; add yourself to the group that owns it (usually `sudo usermod -aG video $USER`) and log in again"
    )
  }

  /// Another program uses it: waited for while a session runs.
  public static func busy(_ source: String) -> CameraError {
    CameraError(
      .busy, source: source,
      description: "cannot start \(source): another program is using it; close that program",
      interruption: .deviceInUse)
  }

  /// It was there, and is gone: waited for while a session runs.
  public static func disconnected(_ source: String) -> CameraError {
    CameraError(
      .disconnected, source: source, description: "lost \(source): it was disconnected; plug it in again",
      interruption: .deviceDisconnected)
  }

  /// It delivered no usable picture for so long: started again while a session runs.
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

  /// The device or its driver cannot be used as it is; waiting does not help.
  public static func broken(_ source: String, reason: String) -> CameraError {
    CameraError(.broken, source: source, description: "cannot use \(source): \(reason)", reason: reason)
  }

  /// This process, not the camera, is out of threads or descriptors.
  public static func noResources(_ source: String, reason: String) -> CameraError {
    CameraError(
      .noResources, source: source, description: "cannot start \(source): \(reason)", reason: reason)
  }

  /// The camera has nothing in the wanted format.
  public static func unsupportedFormat(_ source: String, wanted: String, offered: String) -> CameraError {
    CameraError(
      .unsupportedFormat, source: source,
      description: "\(source) does not offer \(wanted); it offers \(offered)", isUnavailability: false)
  }

  /// The source cannot be read as what it claims to be.
  public static func invalidSource(_ source: String, reason: String) -> CameraError {
    CameraError(
      .invalidSource, source: source, description: "cannot use \(source): \(reason)", reason: reason,
      isUnavailability: false)
  }

  init(_ shortage: ResourceShortage, source: String) {
    self = .noResources(source, reason: "\(shortage)")
  }
}
