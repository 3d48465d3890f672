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

  init(
    _ id: String, _ vendor: String, _ title: String, _ source: String, asOf: String = "2026-11-21",
    _ rule: TokenRule
  ) {
    self.id = id
    self.vendor = vendor
    self.title = title
    self.source = source
    self.asOf = asOf
    self.rule = rule
  }

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

  /// Every known profile, the seed's own first.
  public static let all: [TokenProfile] =
    [
      TokenProfile(
        "seed", "Google", "SwiftWing seed: 768-pixel grid",
        "seed document, \"Gemini 2.0 Flash token costs\": 258 tokens a 768×768 tile; contradicts the vendor's rule",
        .grid(side: 768, tokens: 258)),
      TokenProfile(
        "gemini-2", "Google", "Gemini 2.x: crop units",
        "ai.google.dev/gemini-api/docs/image-understanding, \"rough formula\"", .cropUnits),
    ] + gemini3 + openAI + anthropic + qwen

  private static let gemini3 = [("low", 280), ("medium", 560), ("high", 1120), ("ultra-high", 2240)].map {
    TokenProfile(
      "gemini-3-\($0.0)", "Google", "Gemini 3: media resolution \($0.0), documented maximum",
      "ai.google.dev/gemini-api/docs/media-resolution; measured counts are at or just below it",
      .flat(tokens: $0.1))
  }

  private static let openAISource = "platform.openai.com/docs/guides/images-vision, calculating costs"

  private static let openAI =
    [
      ("gpt-4o", "GPT-4o, 4.1, 4.5", 85, 170), ("gpt-4o-mini", "GPT-4o mini", 2833, 5667),
      ("gpt-5", "GPT-5", 70, 140), ("o3", "o1, o3", 75, 150),
    ].map {
      TokenProfile(
        $0.0, "OpenAI", "\($0.1): tiles, high detail", openAISource, .tiles(base: $0.2, tile: $0.3))
    }
    + [
      ("gpt-4.1-mini", "GPT-4.1 mini, GPT-5 mini", 162), ("gpt-4.1-nano", "GPT-4.1 nano, GPT-5 nano", 246),
      ("o4-mini", "o4-mini", 172),
    ].map {
      TokenProfile(
        $0.0, "OpenAI", "\($0.1): 32-pixel patches", openAISource, .patches(cap: 1536, hundredths: $0.2))
    }

  private static let anthropicSource =
    "docs.claude.com, vision, \"How Claude resizes and pads images\" (w·h/750 is retired)"

  private static let anthropic = [
    TokenProfile(
      "claude", "Anthropic", "Claude: 28-pixel patches, standard", anthropicSource,
      .paddedPatches(edge: 1568, tokens: 1568)),
    TokenProfile(
      "claude-high", "Anthropic", "Claude: 28-pixel patches, high resolution", anthropicSource,
      .paddedPatches(edge: 2576, tokens: 4784)),
  ]

  private static let qwen = [
    TokenProfile(
      "qwen-2.5-vl", "Alibaba", "Qwen2.5-VL: smart resize by 28",
      "huggingface.co/Qwen/Qwen2.5-VL-7B-Instruct preprocessor_config.json; qwen-vl-utils smart_resize",
      .smartResize(factor: 28, area: 3136...12_845_056)),
    TokenProfile(
      "qwen-3-vl", "Alibaba", "Qwen3-VL: smart resize by 32",
      "huggingface.co/Qwen/Qwen3-VL-8B-Instruct preprocessor_config.json; qwen-vl-utils smart_resize",
      .smartResize(factor: 32, area: 65_536...16_777_216)),
  ]
}
