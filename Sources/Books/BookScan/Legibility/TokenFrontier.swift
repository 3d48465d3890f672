public import Imagery
import System

/// The cost of a picture by size and token profile, and the number of words that each size keeps.
public struct TokenFrontier: Sendable {
  /// The picture at one size, with its cost by one token profile.
  public struct Point: Sendable, Equatable {
    /// The identifier of the token profile.
    public var profile: String
    /// The size of the photo that is sent, pixels.
    public var size: PixelSize
    /// The size at which the model sees the photo, and at which it was read, pixels.
    public var seen: PixelSize
    /// The cost in tokens.
    public var tokens: Int
    /// The number of words kept, out of `TokenFrontier.words`.
    public var kept: Int
    /// The size of the file that is sent, bytes.
    public var bytes: Int
    /// The processor time to make the photo, without reading it.
    public var milliseconds: Double
  }

  /// The long sides that are measured, pixels.
  public static let longSides = [512, 640, 768, 1024, 1280, 1536, 1920]

  /// The number of words read at full size.
  public let words: Int
  /// The points, grouped by profile, each group from the smallest size to the largest.
  public let points: [Point]
  /// The number of pictures read, including the one at full size.
  public let readings: Int

  /// Measures one picture. Each size is read once, even if several profiles see it.
  /// - Parameters:
  ///   - image: the picture to measure, as it is stored; `orientation` turns it upright.
  ///   - settings: the settings of photos. Their size is ignored.
  ///   - profiles: the token profiles by which the cost of each size is counted.
  ///   - reader: reads the picture at full size, and a photo of each size, to count the words kept.
  /// - Throws: `ImageError`, and the errors of the reader.
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

  /// Returns the cheapest point of a profile that keeps at least `share` of the words; nil if no point does.
  public func cheapest(_ profile: String, share: Double) -> Point? {
    points.filter { $0.profile == profile && Double($0.kept) >= share * Double(words) - 1e-9 }
      .min { ($0.tokens, $0.size.area) < ($1.tokens, $1.size.area) }
  }

  /// The readings so far, by size.
  private struct Memory {
    let words: LegibleWords
    let full: PixelSize
    let reader: LegibilityReader
    let trials: PhotoTrials
    var read: [(size: PixelSize, kept: Int)] = []

    /// Two sizes count as one if both of their sides differ by less than this share.
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
