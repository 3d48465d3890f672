/// The reason why a running session has no picture, for the user.
///
/// Later versions may add reasons, and a camera of your own may define reasons. So compare with the reasons that you know, and show the
/// ``message`` of any reason.
public struct InterruptionReason: RawRepresentable, Hashable, Sendable, Codable {
  /// The name in reports and recordings.
  public let rawValue: String

  /// Creates a reason from its name: a new one for a camera of your own, or a decoded one.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Another program holds the device (`EBUSY`).
  public static let deviceInUse = InterruptionReason(rawValue: "deviceInUse")
  /// The device was unplugged or its node is gone (`ENODEV`, `ENOENT`).
  public static let deviceDisconnected = InterruptionReason(rawValue: "deviceDisconnected")
  /// The device claims to stream, but no frames arrive.
  public static let streamStalled = InterruptionReason(rawValue: "streamStalled")
  /// The driver failed (`EIO` or another system error) and is restarted.
  public static let deviceReset = InterruptionReason(rawValue: "deviceReset")
  /// The input has no signal (`ENOLINK`, `ENOLCK`).
  public static let signalLost = InterruptionReason(rawValue: "signalLost")
  /// The program went to the background.
  public static let background = InterruptionReason(rawValue: "background")
  /// The source reports an interruption whose reason this version does not know.
  public static let other = InterruptionReason(rawValue: "other")
}

extension InterruptionReason: CaseIterable {
  /// All reasons that this version knows.
  public static let allCases: [InterruptionReason] = [
    .deviceInUse, .deviceDisconnected, .streamStalled, .deviceReset, .signalLost, .background, .other,
  ]

  /// The reason with this name; `other` if this version does not know the name.
  public init(known name: String) {
    let named = InterruptionReason(rawValue: name)
    self = Self.allCases.contains(named) ? named : .other
  }
}

extension InterruptionReason {
  /// The importance of an interruption to the user. This enumeration is closed: no later version adds a case.
  public enum Severity: String, Sendable, Codable {
    /// Nothing needs to be shown.
    case silent
    /// The user gets a message, but has nothing to do.
    case notice
    /// The user should know at once, and may have to help.
    case warning
  }

  /// The importance of this reason. Going to the background is the user's own action and is silent; all other reasons are shown (INT-5).
  public var severity: Severity {
    switch self {
    case .background: .silent
    case .deviceDisconnected, .streamStalled, .deviceReset: .warning
    default: .notice
    }
  }

  /// One plain sentence for the user; empty for a silent reason.
  public var message: String {
    switch self {
    case .background: ""
    case .deviceInUse: "The camera is in use by another program; it resumes when that program closes it."
    case .deviceDisconnected: "The camera is disconnected; plug it in again to go on."
    case .streamStalled: "The camera delivers no usable pictures; it is being restarted."
    case .deviceReset: "The camera failed; it is being restarted."
    case .signalLost: "The camera input has no signal; check the cable and its source."
    default: "The camera is interrupted; it goes on when the cause is gone."
    }
  }
}
