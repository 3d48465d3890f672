import Video4Linux

/// Why nothing can be shown on a display: one sentence with the remedy.
public struct DisplayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of trouble it is. More may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// Its name, such as `inUse`.
    public let rawValue: String

    /// A code that was read; the room itself gives those below.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no such card.
    public static let noCard = Code(rawValue: "noCard")
    /// This user may not open it.
    public static let accessDenied = Code(rawValue: "accessDenied")
    /// Another program shows something on it, such as a desktop.
    public static let inUse = Code(rawValue: "inUse")
    /// The card only computes, or cannot show memory that a program draws.
    public static let cannotShow = Code(rawValue: "cannotShow")
    /// Nothing is plugged in.
    public static let noConnector = Code(rawValue: "noConnector")
    /// The display has no mode of that size.
    public static let noMode = Code(rawValue: "noMode")
    /// There is no memory for pictures.
    public static let noMemory = Code(rawValue: "noMemory")
    /// The driver answered with an error, or did not answer.
    public static let failed = Code(rawValue: "failed")
  }

  /// What kind of trouble it is.
  public let code: Code
  /// One sentence: what, with what, why, and what to do.
  public let description: String

  init(_ code: Code, _ description: String) { (self.code, self.description) = (code, description) }

  /// - Parameter action: what was being done, such as `open the display /dev/dri/card0`.
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
      self.init(.cannotShow, "cannot \(action): the driver cannot; take another card")
    case .outOfMemory, .noSpace:
      self.init(.noMemory, "cannot \(action): no memory is left for its pictures; choose a smaller mode")
    default: self.init(.failed, "cannot \(action): \(reason) (\(reason.symbol)); see the kernel's log")
    }
  }
}
