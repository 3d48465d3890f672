import Imagery
import Locking

/// Why a running session has no picture, as the user is told.
public enum InterruptionReason: String, Hashable, Sendable, Codable, CaseIterable {
  /// Another program holds the device (`EBUSY`).
  case deviceInUse
  /// The device was unplugged or its node is gone (`ENODEV`, `ENOENT`).
  case deviceDisconnected
  /// Frames stopped coming though the device claims to stream.
  case streamStalled
  /// The driver failed (`EIO` or another system error) and is started again.
  case deviceReset
  /// The input has no signal (`ENOLINK`, `ENOLCK`).
  case signalLost
  /// The program went to the background.
  case background
  /// The source says so, without a reason that we know.
  case other

  public enum Severity: String, Sendable, Codable { case silent, notice, warning }

  /// Going to the background is the user's own doing and is handled silently; all else is told (INT-5).
  public var severity: Severity {
    switch self {
    case .background: .silent
    case .deviceInUse, .signalLost, .other: .notice
    case .deviceDisconnected, .streamStalled, .deviceReset: .warning
    }
  }

  /// One plain sentence for the user; empty where nothing is to be said.
  public var message: String {
    switch self {
    case .background: ""
    case .deviceInUse: "The camera is in use by another program; it resumes when that program lets go."
    case .deviceDisconnected: "The camera is disconnected; plug it in again to go on."
    case .streamStalled: "The camera delivers no usable pictures; it is being restarted."
    case .deviceReset: "The camera failed; it is being restarted."
    case .signalLost: "The camera input has no signal; check the cable and its source."
    case .other: "The camera is interrupted."
    }
  }
}

/// What a camera can fail with, each with its cause and remedy.
public enum CameraError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no such source (an unknown name, a node that is not there).
  case notFound(String, remedy: String)
  case permissionDenied(String)
  case busy(String)
  case disconnected(String)
  case stalled(String, after: Duration)
  /// A system call or the source itself failed.
  case failed(String, reason: String)
  /// The device or its driver cannot be used as it is; waiting does not help.
  case broken(String, reason: String)
  /// This process, not the camera, is out of threads or descriptors.
  case noResources(String, reason: String)
  /// The camera has nothing in the wanted format.
  case unsupportedFormat(String, wanted: String, offered: String)
  /// The source cannot be read as what it claims to be.
  case invalidSource(String, reason: String)

  /// The interruption this is while a session runs; nil where waiting would not help.
  public var interruption: InterruptionReason? {
    switch self {
    case .busy: .deviceInUse
    case .disconnected: .deviceDisconnected
    case .stalled: .streamStalled
    case .failed: .deviceReset
    case .notFound, .permissionDenied, .broken, .noResources, .unsupportedFormat, .invalidSource: nil
    }
  }

  /// The camera may be there another time; otherwise what was asked for is wrong in itself.
  public var isUnavailability: Bool {
    switch self {
    case .notFound, .permissionDenied, .busy, .disconnected, .stalled, .failed, .broken, .noResources: true
    case .unsupportedFormat, .invalidSource: false
    }
  }

  public var description: String {
    switch self {
    case .notFound(let source, let remedy): "cannot open \(source): there is no such camera; \(remedy)"
    case .permissionDenied(let source):
      "cannot open \(source): permission denied; add yourself to the group that owns it (usually `sudo usermod -aG video $USER`) and log in again"
    case .busy(let source): "cannot start \(source): another program is using it; close that program"
    case .disconnected(let source): "lost \(source): it was disconnected; plug it in again"
    case .stalled(let source, let duration):
      "\(source) delivered no usable picture for \(Int(duration.milliseconds)) ms; it is restarted"
    case .failed(let source, let reason): "\(source) failed: \(reason)"
    case .broken(let source, let reason): "cannot use \(source): \(reason)"
    case .noResources(let source, let reason): "cannot start \(source): \(reason)"
    case .unsupportedFormat(let source, let wanted, let offered):
      "\(source) does not offer \(wanted); it offers \(offered)"
    case .invalidSource(let source, let reason): "cannot use \(source): \(reason)"
    }
  }
}

extension CameraError {
  init(_ shortage: ResourceShortage, source: String) {
    self = .noResources(source, reason: "\(shortage)")
  }
}
