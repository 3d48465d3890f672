public import Imagery
import System

/// What every size of one picture costs by every token profile, and what of its words it keeps.
public struct TokenFrontier: Sendable {
  /// A picture at one size, by one profile.
  public struct Point: Sendable, Equatable {
    /// Whose tokens.
    public var profile: String
    /// Of the photo that is sent, pixels.
    public var size: PixelSize
    /// The size at which the model looks at it and at which it was read, pixels.
    public var seen: PixelSize
    /// What it costs.
    public var tokens: Int
    /// How many of `TokenFrontier.words` are kept.
    public var kept: Int
    /// Of the file that is sent.
    public var bytes: Int
    /// What the processor took to make the photo, without reading it.
    public var milliseconds: Double
  }

  /// The long sides that are measured, pixels.
  public static let longSides = [512, 640, 768, 1024, 1280, 1536, 1920]

  /// Words read at full size.
  public let words: Int
  /// Profile by profile, each from the smallest size to the largest.
  public let points: [Point]
  /// Pictures read, the one at full size included.
  public let readings: Int

  /// Measures one picture. Each size is read once, however many profiles see it.
  /// - Parameters:
  ///   - image: in whatever orientation it is stored.
  ///   - settings: how photos are made; their size is not that of the settings.
  ///   - profiles: whose tokens.
  ///   - reader: what reads.
  /// - Throws: `ImageError`, and what the reader throws.
  public init(
    _ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings = PhotoSettings(),
    profiles: [TokenProfile], reader: LegibilityReader
  ) throws {
    guard let first = profiles.first else {
      (words, points, readings) = (0, [], 0)
      return
    }
    let trials = try PhotoTrials(image, orientation, settings, LegibilityGoal(profile: first))
    let full = try trials.full()
    let known = LegibleWords(try reader.read(full.bytes))
    var memory = Memory(words: known, full: full.size, reader: reader, trials: trials)
    let photos = try Self.longSides.filter { $0 <= full.size.longSide }.map { try trials.photo(longSide: $0) }
    points = try profiles.flatMap { profile in
      try photos.map { photo in
        let (seen, kept) = try memory.kept(photo, profile.seenSize(for: photo.size))
        return Point(
          profile: profile.id, size: photo.size, seen: seen, tokens: profile.tokens(for: photo.size),
          kept: kept,
          bytes: photo.bytes.count, milliseconds: photo.timings.processor.milliseconds)
      }
    }
    words = known.words.count
    readings = memory.read.count + 1
  }

  /// The cheapest point of a profile that keeps this share of the words; nil where none does.
  public func cheapest(_ profile: String, share: Double) -> Point? {
    points.filter { $0.profile == profile && Double($0.kept) >= share * Double(words) - 1e-9 }
      .min { ($0.tokens, $0.size.area) < ($1.tokens, $1.size.area) }
  }

  /// What was read at each size.
  private struct Memory {
    let words: LegibleWords
    let full: PixelSize
    let reader: LegibilityReader
    let trials: PhotoTrials
    var read: [(size: PixelSize, kept: Int)] = []

    /// A size that differs from one that was read by less than this part counts as that one.
    private static let tolerance = 0.03

    mutating func kept(_ photo: Photo, _ seen: PixelSize) throws -> (PixelSize, Int) {
      let size = seen.area < photo.size.area ? seen : photo.size
      let near = read.first {
        abs(Double($0.size.longSide) / Double(size.longSide) - 1) < Self.tolerance
          && abs(Double($0.size.shortSide) / Double(size.shortSide) - 1) < Self.tolerance
      }
      if let near { return near }
      let (bytes, actual) = try trials.seen(photo, at: size)
      let kept = words.kept(in: try reader.read(bytes), of: actual, full: full)
      read.append((actual, kept))
      return (actual, kept)
    }
  }
}
