public import Imagery

/// The photo that was found to be legible at the least cost, with the trials by which it was found.
public struct Legibility: Sendable {
  /// The method that chose the size. Closed: a further case needs a new major version.
  public enum Judge: String, Sendable, Codable {
    /// Compares the words that were read at full size with the words read at smaller sizes.
    case recognition
    /// Measures the heights of shapes that look like letters. Reads nothing.
    case proxy
  }

  /// A size that was tried.
  public struct Trial: Sendable, Equatable {
    /// The photo's size, pixels.
    public var size: PixelSize
    /// The size at which the model sees the photo, and at which it was read, pixels.
    public var seen: PixelSize
    /// The cost in tokens.
    public var tokens: Int
    /// The size of the photo's file, bytes; nil if no file was made.
    public var bytes: Int?
    /// The number of words kept, out of `Legibility.words`.
    public var kept: Int
    /// The share of the words that were kept, 0…1; 1 if there are no words.
    public var share: Double
  }

  /// The method that chose the size.
  public var judge: Judge
  /// The judge's name, with its version.
  public var judgeName: String
  /// The number of words read at full size; if the proxy decided, the number of letters.
  public var words: Int
  /// All tried sizes, cheapest first.
  public var trials: [Trial]
  /// The size that was chosen.
  public var chosen: Trial
  /// Whether the chosen size keeps the requested share. If not, no size within the budget keeps it, and the chosen size is the
  /// one that keeps most.
  public var isKept: Bool
  /// The number of pictures that were read, including the one at full size.
  public var readings: Int
  /// The photo at the chosen size.
  public var photo: Photo
  /// Sentences for the user, such as the reason why nothing could be read.
  public var notes: [String]
}
