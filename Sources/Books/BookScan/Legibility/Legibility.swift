public import Imagery

/// The photo that was found to be legible at the least cost, and how that was found.
public struct Legibility: Sendable {
  /// What decided. Closed: another one is a new major version.
  public enum Judge: String, Sendable, Codable {
    /// The words that were read at full size, and again at smaller sizes.
    case recognition
    /// The height of what looks like letters. Nothing was read.
    case proxy
  }

  /// One size that was tried.
  public struct Trial: Sendable, Equatable {
    /// The photo's own size, pixels.
    public var size: PixelSize
    /// The size at which the model looks at it and at which it was read, pixels.
    public var seen: PixelSize
    /// What it costs.
    public var tokens: Int
    /// Bytes of its file; nil where none was made.
    public var bytes: Int?
    /// How many of `Legibility.words` are kept.
    public var kept: Int
    /// The same as a share, 0…1; 1 where there are none.
    public var share: Double
  }

  /// What decided.
  public var judge: Judge
  /// Its name, with its version.
  public var judgeName: String
  /// Words read at full size; with the proxy, letters.
  public var words: Int
  /// Every size that was tried, the cheapest first.
  public var trials: [Trial]
  /// The one that was chosen.
  public var chosen: Trial
  /// Whether it keeps the share that was asked for. If not, no size within the budget does, and it is the one that keeps most.
  public var isKept: Bool
  /// Pictures that were read, the one at full size included.
  public var readings: Int
  /// The photo at the chosen size.
  public var photo: Photo
  /// Sentences for the user, such as why nothing could be read.
  public var notes: [String]
}
