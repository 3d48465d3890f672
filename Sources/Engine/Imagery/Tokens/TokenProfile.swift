/// What one vendor charges for a picture, by a dated, sourced rule. Rules change: a profile says what was written when, not
/// what will be billed.
public struct TokenProfile: Sendable, Equatable {
  /// Short name for the command line, such as `gemini-2`.
  public let id: String
  /// Who charges by it, such as `Google`.
  public let vendor: String
  /// Name for a person.
  public let title: String
  /// Where the rule is written.
  public let source: String
  /// The day the source was read, ISO 8601.
  public let asOf: String
  let rule: TokenRule

  /// Tokens of one picture of `size` (sides at least 1 pixel), at high detail where the vendor has a choice.
  public func tokens(for size: PixelSize) -> Int { rule.tokens(size) }

  /// The size at which the model looks at a picture of `size`, after the vendor's own resizing.
  public func seenSize(for size: PixelSize) -> PixelSize { rule.seen(size) }

  /// The most legible size: of the same shape, never larger, that costs at most `maxTokens`; of those the one the model sees
  /// largest, and of several it sees alike the smallest, since what the vendor shrinks away is only sent in vain.
  /// - Returns: nil when even the smallest costs more.
  public func bestSize(for size: PixelSize, maxTokens: Int) -> PixelSize? {
    var best: (size: PixelSize, seen: Int)?
    for longSide in stride(from: size.longSide, through: 1, by: -1) {
      let candidate = size.fitted(longSide: longSide)
      guard rule.tokens(candidate) <= maxTokens else { continue }
      let seen = min(rule.seen(candidate).area, candidate.area)
      if seen >= best?.seen ?? 0 { best = (candidate, seen) }
      // Smaller candidates cannot be seen larger than they are.
      if let best, best.seen > candidate.area { break }
    }
    return best?.size
  }

  /// The profile of this id; nil when there is none.
  public static func named(_ id: String) -> TokenProfile? { all.first { $0.id == id } }

  /// Every profile that comes with the program, the seed's own first. They are compiled in from `Profiles/tokens.json`.
  public static let all: [TokenProfile] = {
    do throws(TokenFileError) { return try read(PackageResources.tokens_json) } catch {
      preconditionFailure("Profiles/tokens.json: \(error)")
    }
  }()
}
