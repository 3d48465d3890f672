public import Imagery

/// A picture divided into crops, one for each part with text, compared with the same picture as a whole.
public struct CropLegibility: Sendable {
  /// A part of the picture, sent as a photo of its own.
  public struct Crop: Sendable {
    /// The box, in pixels of the upright picture at full size.
    public var box: Box
    /// The chosen trial: the size at which the crop is sent, its cost, and the number of words that are kept.
    public var chosen: Legibility.Trial
    /// The number of words read in the crop at full size.
    public var words: Int
    /// The photo that is sent.
    public var photo: Photo
  }

  /// The greatest number of crops.
  public static let mostCrops = 2 * CropPlan.limit

  /// The result for the picture as a whole.
  public var whole: Legibility
  /// The crops, from the top down and from left to right. Empty if the picture cannot be divided, nothing was read, or the crops
  /// would exceed the budget.
  public var crops: [Crop]
  /// Whether the crops are better than the whole picture: only they keep the requested share of words; or both keep it and the crops cost fewer
  /// tokens; or neither keeps it and the crops keep more words.
  public var areChosen: Bool
  /// The requested share of words, 0…1.
  public var goal: Double
  /// The number of pictures read for the crops and the whole.
  public var readings: Int

  /// The cost of all crops, tokens.
  public var tokens: Int { crops.reduce(0) { $0 + $1.chosen.tokens } }
  /// The number of words of the whole picture that the crops keep.
  public var kept: Int { crops.reduce(0) { $0 + $1.chosen.kept } }
  /// The share of the whole picture's words that the crops keep, 0…1; 1 if there are no words.
  public var share: Double { whole.words == 0 ? 1 : Double(kept) / Double(whole.words) }
  /// Whether the crops keep the requested share.
  public var isKept: Bool { !crops.isEmpty && share >= goal - 1e-9 }
}
