import Glibc

/// An error that prevented a recording or ended it.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, for decisions of a caller. Later versions may add codes.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the code.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A recording is under way already; it continues.
    public static let alreadyRecording = Code(rawValue: "alreadyRecording")
    /// No recording can be stopped.
    public static let notRecording = Code(rawValue: "notRecording")
    /// The path is taken already, or nothing can be written at it.
    public static let destination = Code(rawValue: "destination")
    /// The disk is full. Anything written before is playable.
    public static let diskFull = Code(rawValue: "diskFull")
    /// FFmpeg's libraries, or the requested encoder, are missing.
    public static let noEncoder = Code(rawValue: "noEncoder")
    /// The settings contradict each other or the file's format.
    public static let settings = Code(rawValue: "settings")
    /// A picture could not be converted or encoded.
    public static let encoding = Code(rawValue: "encoding")
    /// The file to be read is not a recording.
    public static let malformed = Code(rawValue: "malformed")
  }

  /// The kind of error.
  public let code: Code
  /// The failed action, as a clause: `record to film.mp4`.
  public let action: String
  /// The reason of the failure, as a clause.
  public let reason: String
  /// The advice for the user, as a clause.
  public let remedy: String

  /// Creates an error.
  public init(_ code: Code, _ action: String, reason: String, remedy: String) {
    self.code = code
    self.action = action
    self.reason = reason
    self.remedy = remedy
  }

  /// The error for a path at which nothing can be created.
  /// - Parameters:
  ///   - code: a number of `errno`.
  ///   - remedy: the advice if the folder is at fault.
  static func unmade(_ path: String, _ code: CInt, remedy: String) -> RecordingError {
    if code == EEXIST {
      return RecordingError(
        .destination, "record to \(path)", reason: "there is something of that name already",
        remedy: "choose another name; no recording is overwritten")
    }
    let (what, advice): (Code, String) =
      switch code {
      case ENOSPC, EDQUOT: (.diskFull, "free some space, or name a folder on another disk")
      case EROFS: (.destination, "name a folder on a disk that can be written to")
      case ENAMETOOLONG: (.destination, "choose a shorter name")
      default: (.destination, remedy)
      }
    return RecordingError(
      what, "record to \(path)", reason: String(cString: strerror(code)), remedy: advice)
  }

  /// The end of a remedy for a video that breaks off.
  static let kept = "; what was recorded before can be played"

  /// This error without the clause `kept`, for a recording without frames.
  var withNothingKept: RecordingError {
    guard remedy.hasSuffix(Self.kept) else { return self }
    return RecordingError(code, action, reason: reason, remedy: String(remedy.dropLast(Self.kept.count)))
  }

  /// One sentence for a person. Untrusted names in it are not made safe for printing; `Terminal` does that.
  public var description: String { "Cannot \(action): \(reason); \(remedy)." }
}
