public import Imagery

/// One picture as several, each of a part that has text in it, beside the same as a whole.
public struct CropLegibility: Sendable {
  /// A part of the picture, as a photo of its own.
  public struct Crop: Sendable {
    /// In pixels of the upright picture at full size.
    public var box: Box
    /// The size at which it is sent, what that costs, and how many of its words it keeps.
    public var chosen: Legibility.Trial
    /// Words read in it at full size.
    public var words: Int
    /// The photo.
    public var photo: Photo
  }

  /// There are never more.
  public static let mostCrops = 2 * CropPlan.limit

  /// The picture as a whole.
  public var whole: Legibility
  /// From the top down and from left to right; none where it cannot be divided, nothing was read, or they would cost more than is allowed.
  public var crops: [Crop]
  /// Whether the crops serve better than the whole: they keep the share and it does not, or both do and they cost fewer tokens; where neither
  /// does, they keep more words.
  public var areChosen: Bool
  /// The share that was asked for, 0…1.
  public var goal: Double
  /// Pictures read, for both.
  public var readings: Int

  /// What all crops cost.
  public var tokens: Int { crops.reduce(0) { $0 + $1.chosen.tokens } }
  /// How many of the whole's words they keep.
  public var kept: Int { crops.reduce(0) { $0 + $1.chosen.kept } }
  /// The same as a share, 0…1; 1 where there are no words.
  public var share: Double { whole.words == 0 ? 1 : Double(kept) / Double(whole.words) }
  /// Whether they keep the share that was asked for.
  public var isKept: Bool { !crops.isEmpty && share >= goal - 1e-9 }
}
