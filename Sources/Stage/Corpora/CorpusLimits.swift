import JSON

/// Limits on a corpus that protect the machine that reads it. Anything beyond them is refused before memory is spent on it.
public enum CorpusLimits {
  /// Maximum size of `corpus.json`, in bytes. Its digests are read one by one.
  public static let manifestBytes = 64 << 20
  /// Maximum size of `corpus.json` without its digests, in bytes.
  public static let manifestRestBytes = 1 << 20
  /// Maximum size of `truth.json`, in bytes.
  public static let truthBytes = 64 << 20
  /// Maximum length of a line of `track.jsonl` without its end, in bytes.
  public static let lineBytes = 4096
  /// Maximum number of lines of `track.jsonl`.
  public static let events = 4_000_000
  /// Maximum number of events that are kept in memory at once, if all of a track are needed. Usually they are read one by one.
  public static let eventsInMemory = 200_000
  /// Maximum number of files in the folder.
  public static let files = 200_000
  /// Maximum number of frames in the track.
  public static let frames = 2_000_000
  /// Maximum size of a frame file, in bytes. 12 MP in 10-bit 4:2:2 are 48 MB.
  public static let frameBytes = 512 << 20
  /// Maximum length of a picture's longer side, in pixels.
  public static let side = 32_768
  /// Maximum number of pixels in a picture, 2²⁸.
  public static let area = 268_435_456
  /// Longest track, in nanoseconds: a week.
  public static let durationNanoseconds: Int64 = 7 * 86_400 * 1_000_000_000
  /// Maximum length of a title, a name or a reason, in bytes.
  public static let textBytes = JSONFields.textBytes
}
