import JSON

/// Limits on a corpus that protect the machine that reads it. Anything beyond them is refused before memory is spent on it.
public enum CorpusLimits {
  /// Most bytes of `corpus.json`. Its digests are read one by one.
  public static let manifestBytes = 64 << 20
  /// Most bytes of `corpus.json` without its digests.
  public static let manifestRestBytes = 1 << 20
  /// Most bytes of `truth.json`.
  public static let truthBytes = 64 << 20
  /// Most bytes of a line of `track.jsonl`, without its end.
  public static let lineBytes = 4096
  /// Most lines of `track.jsonl`.
  public static let events = 4_000_000
  /// Most events that are kept in memory at once, if all of a track are needed. Usually they are read one by one.
  public static let eventsInMemory = 200_000
  /// Most files in the folder.
  public static let files = 200_000
  /// Most frames in the track.
  public static let frames = 2_000_000
  /// Most bytes of a frame file. 12 MP in 10-bit 4:2:2 are 48 MB.
  public static let frameBytes = 512 << 20
  /// Most pixels on the longer side of a picture.
  public static let side = 32_768
  /// Most pixels of a picture, 2²⁸.
  public static let area = 268_435_456
  /// Longest track, in nanoseconds: a week.
  public static let durationNanoseconds: Int64 = 7 * 86_400 * 1_000_000_000
  /// Most bytes of a title, a name or a reason.
  public static let textBytes = JSONFields.textBytes
}
