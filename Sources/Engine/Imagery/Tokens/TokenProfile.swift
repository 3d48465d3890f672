/// A vendor's price of a picture in tokens, by a dated and sourced rule. Rules change: a profile records a published rule and its date, not
/// the vendor's bill.
public struct TokenProfile: Sendable, Equatable {
  /// Short name for the command line, such as `gemini-2`.
  public let id: String
  /// The vendor, such as `Google`.
  public let vendor: String
  /// Name for a person.
  public let title: String
  /// The source of the rule.
  public let source: String
  /// The day on which the source was read, ISO 8601.
  public let asOf: String
  let rule: TokenRule

  /// The number of tokens of a picture of `size` (sides at least 1 pixel), at high detail if the vendor has a choice.
  public func tokens(for size: PixelSize) -> Int { rule.tokens(size) }

  /// The size at which the model sees a picture of `size`, after the vendor's own resizing.
  public func seenSize(for size: PixelSize) -> PixelSize { rule.seen(size) }

  /// The most legible size of the same shape, not larger than `size`, that costs at most `maxTokens`. Of all sizes that fit, it is the one that
  /// the model sees largest; of several that are seen alike, the smallest, since it is useless to send pixels that the vendor removes.
  /// - Returns: nil if even the smallest size costs more.
  public func bestSize(for size: PixelSize, maxTokens: Int) -> PixelSize? {
    var best: (size: PixelSize, seen: Int)?
    for longSide in stride(from: size.longSide, through: 1, by: -1) {
      let candidate = size.fitted(longSide: longSide)
      guard rule.tokens(candidate) <= maxTokens else { continue }
      let seen = min(rule.seen(candidate).area, candidate.area)
      if seen >= best?.seen ?? 0 { best = (candidate, seen) }
      // At most the area of a candidate counts as seen, so smaller candidates cannot be better.
      if let best, best.seen > candidate.area { break }
    }
    return best?.size
  }

  /// The profile with this id; nil if there is none.
  public static func named(_ id: String) -> TokenProfile? { all.first { $0.id == id } }

  /// Every built-in profile, the seed's own first. They are compiled in from `Profiles/tokens.json`.
  public static let all: [TokenProfile] = {
    do throws(TokenFileError) { return try read(PackageResources.tokens_json) } catch {
      preconditionFailure("Profiles/tokens.json: \(error)")
    }
  }()
}
