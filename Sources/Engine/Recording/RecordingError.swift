import Glibc

/// Why a recording could not be begun, or ended before it was asked to.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, so that a caller can choose what to do; there may be more of them later.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// Its name.
    public let rawValue: String
    /// A code by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is a recording already; it goes on.
    public static let alreadyRecording = Code(rawValue: "alreadyRecording")
    /// There is none that could be stopped.
    public static let notRecording = Code(rawValue: "notRecording")
    /// Something has that name already, or nothing can be written there.
    public static let destination = Code(rawValue: "destination")
    /// The disk is full. What was written before, if anything was, can be played.
    public static let diskFull = Code(rawValue: "diskFull")
    /// FFmpeg's libraries, or the encoder that was asked for, are not there.
    public static let noEncoder = Code(rawValue: "noEncoder")
    /// The settings contradict each other or the file's format.
    public static let settings = Code(rawValue: "settings")
    /// A picture could not be converted or encoded.
    public static let encoding = Code(rawValue: "encoding")
    /// The file that was to be read is no recording.
    public static let malformed = Code(rawValue: "malformed")
  }

  /// What went wrong.
  public let code: Code
  /// What was being done, with what, as a clause: `record to film.mp4`.
  public let action: String
  /// Why it could not be done, as a clause.
  public let reason: String
  /// What the user can do, as a clause.
  public let remedy: String

  /// An error in the words of this room.
  public init(_ code: Code, _ action: String, reason: String, remedy: String) {
    self.code = code
    self.action = action
    self.reason = reason
    self.remedy = remedy
  }

  /// Why nothing can be made at a path.
  /// - Parameters:
  ///   - code: a number of `errno`.
  ///   - remedy: where the folder is at fault.
  static func unmade(_ path: String, _ code: CInt, remedy: String) -> RecordingError {
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

  /// The last words of a remedy where a video breaks off.
  static let kept = "; what was recorded before can be played"

  /// The same of a recording that has no frame.
  var withNothingKept: RecordingError {
    guard remedy.hasSuffix(Self.kept) else { return self }
    return RecordingError(code, action, reason: reason, remedy: String(remedy.dropLast(Self.kept.count)))
  }

  /// One sentence for a person; names from outside are not made plain in it, as `Terminal` does.
  public var description: String { "Cannot \(action): \(reason); \(remedy)." }
}
