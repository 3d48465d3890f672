import JSON

/// What a corpus may ask of the machine that reads it. Everything beyond is refused before memory is spent on it.
public enum CorpusLimits {
  /// Bytes of `corpus.json`; its digests are read one by one.
  public static let manifestBytes = 64 << 20
  /// Bytes of `corpus.json` without its digests.
  public static let manifestRestBytes = 1 << 20
  /// Bytes of `truth.json`.
  public static let truthBytes = 64 << 20
  /// One line of `track.jsonl`, without its end.
  public static let lineBytes = 4096
  /// Lines of `track.jsonl`.
  public static let events = 4_000_000
  /// Events that are kept in memory at once, where all of a track are needed; as a rule they are read one by one.
  public static let eventsInMemory = 200_000
  /// Files in the folder, all together.
  public static let files = 200_000
  /// Frames in the track.
  public static let frames = 2_000_000
  /// One frame file: 12 MP in 10-bit 4:2:2 is 48 MB.
  public static let frameBytes = 512 << 20
  /// Pixels of the longer side of a picture.
  public static let side = 32_768
  /// Pixels of a picture, 2²⁸.
  public static let area = 268_435_456
  /// A week.
  public static let durationNanoseconds: Int64 = 7 * 86_400 * 1_000_000_000
  /// Characters of a title, a name or a reason.
  public static let textBytes = JSONFields.textBytes
}
