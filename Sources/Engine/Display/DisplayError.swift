import Video4Linux

/// The reason why nothing can be shown on a display, in one sentence with the remedy.
public struct DisplayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error. Later versions may add codes.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name, such as `inUse`.
    public let rawValue: String

    /// Creates a code from its name. This module itself uses only the constants below.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The card does not exist.
    public static let noCard = Code(rawValue: "noCard")
    /// This user may not open the card.
    public static let accessDenied = Code(rawValue: "accessDenied")
    /// Another program uses the card, such as a desktop.
    public static let inUse = Code(rawValue: "inUse")
    /// The card has no display output, or cannot show memory that a program draws.
    public static let cannotShow = Code(rawValue: "cannotShow")
    /// No display is connected.
    public static let noConnector = Code(rawValue: "noConnector")
    /// The display has no mode with the requested size.
    public static let noMode = Code(rawValue: "noMode")
    /// There is no memory for pictures.
    public static let noMemory = Code(rawValue: "noMemory")
    /// The driver returned an error, or did not answer.
    public static let failed = Code(rawValue: "failed")
  }

  /// The kind of error.
  public let code: Code
  /// One sentence: the action, the display, the reason, the remedy.
  public let description: String

  init(_ code: Code, _ description: String) { (self.code, self.description) = (code, description) }

  /// - Parameter action: the failed action, such as `open the display /dev/dri/card0`.
  init(_ action: String, _ reason: Errno) {
    switch reason {
    case .noEntry, .noDevice, .noDeviceOrAddress:
      self.init(.noCard, "cannot \(action): it is not there; `ls /dev/dri` lists the cards")
    case .accessDenied, .notPermitted:
      self.init(
        .accessDenied,
        "cannot \(action): permission denied; join the group that owns it (video), and leave the desktop that shows on it"
      )
    case .busy:
      self.init(.inUse, "cannot \(action): another program shows on it; end it, or switch to a text console")
    case .notTTY:
      self.init(.noCard, "cannot \(action): it is no graphics card; `ls /dev/dri` lists the cards")
    case .notSupported:
      self.init(.cannotShow, "cannot \(action): the driver does not support this; use another card")
    case .outOfMemory, .noSpace:
      self.init(.noMemory, "cannot \(action): no memory is left for its pictures; choose a smaller mode")
    default:
      self.init(
        .failed, "cannot \(action): \(reason) (\(reason.symbol)); see the kernel's log with `dmesg`")
    }
  }
}
