/// What became of one value that was to be set.
public struct CameraControlResult: Hashable, Sendable, Codable {
  /// What the device made of the value. More notes may be added.
  public struct Note: RawRepresentable, Hashable, Sendable, Codable {
    /// Its name, such as `clamped`.
    public let rawValue: String

    /// A note that was read, or one of a camera of your own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The value is what was wanted.
    public static let exact = Note(rawValue: "exact")
    /// The value was outside the range, and the end of the range was taken.
    public static let clamped = Note(rawValue: "clamped")
    /// The value was between two that the device has, and the nearer was taken.
    public static let rounded = Note(rawValue: "rounded")
    /// The device accepted the value and has another one all the same.
    public static let ignored = Note(rawValue: "ignored")
    /// The value was left as it is, and says why in `refusal`.
    public static let refused = Note(rawValue: "refused")
    /// No device is open: the value is set when one is.
    public static let deferred = Note(rawValue: "deferred")
    /// A later command took its place before it was finished.
    public static let superseded = Note(rawValue: "superseded")
  }

  /// Which control.
  public var control: CameraControl
  /// What was asked.
  public var wanted: CameraControlValue
  /// What the device has now, read back from it; nil where it was not set or cannot be read.
  public var took: CameraControlValue?
  /// How the two compare.
  public var note: Note
  /// One sentence: why it was not set; nil where it was.
  public var refusal: String?

  /// - Parameter took: what was read back from the device.
  public init(
    _ control: CameraControl, wanted: CameraControlValue, took: CameraControlValue?, note: Note = .exact
  ) {
    self.control = control
    self.wanted = wanted
    self.took = took
    self.note = note
  }

  /// One that was not set.
  /// - Parameter refusal: one sentence that says why.
  public init(_ control: CameraControl, wanted: CameraControlValue, refusal: String) {
    self.control = control
    self.wanted = wanted
    self.note = .refused
    self.refusal = refusal
  }
}
