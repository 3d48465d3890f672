/// The result of setting one value.
public struct CameraControlResult: Hashable, Sendable, Codable {
  /// The relation of the device's value to the requested one. Later versions may add notes.
  public struct Note: RawRepresentable, Hashable, Sendable, Codable {
    /// The name, such as `clamped`.
    public let rawValue: String

    /// Creates a note from its name: a decoded one, or a new one for a camera of your own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The device has the requested value.
    public static let exact = Note(rawValue: "exact")
    /// The requested value was outside the range; the device has the end of the range.
    public static let clamped = Note(rawValue: "clamped")
    /// The requested value was between two possible ones; the device has the nearer.
    public static let rounded = Note(rawValue: "rounded")
    /// The device accepted the value, but reports another one.
    public static let ignored = Note(rawValue: "ignored")
    /// The value was not changed; `refusal` gives the reason.
    public static let refused = Note(rawValue: "refused")
    /// No device is open; the value is set as soon as one is.
    public static let deferred = Note(rawValue: "deferred")
    /// A later command replaced this one before it was finished.
    public static let superseded = Note(rawValue: "superseded")
  }

  /// The control that was to be set.
  public var control: CameraControl
  /// The requested value.
  public var wanted: CameraControlValue
  /// The device's present value, read back from it; nil if it was not set or cannot be read.
  public var took: CameraControlValue?
  /// The relation of `took` to `wanted`.
  public var note: Note
  /// The reason why the value was not set, in one sentence; nil if it was set.
  public var refusal: String?

  /// - Parameter took: the value that was read back from the device.
  public init(
    _ control: CameraControl, wanted: CameraControlValue, took: CameraControlValue?, note: Note = .exact
  ) {
    self.control = control
    self.wanted = wanted
    self.took = took
    self.note = note
  }

  /// Creates the result of a value that was not set.
  /// - Parameter refusal: the reason, in one sentence.
  public init(_ control: CameraControl, wanted: CameraControlValue, refusal: String) {
    self.control = control
    self.wanted = wanted
    self.note = .refused
    self.refusal = refusal
  }
}
