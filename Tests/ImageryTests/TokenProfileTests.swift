import Imagery
import Testing

@Suite struct TokenProfileTests {
  /// Counts from the vendors' documentation, or from the seed's own table. They are written here, so the test needs no data files.
  @Test(arguments: [
    ("seed", 768, 768, 258), ("seed", 1024, 768, 516), ("seed", 2048, 1536, 1548), ("seed", 1536, 1152, 1032),
    ("gemini-2", 384, 384, 258), ("gemini-2", 960, 540, 1548), ("gemini-2", 1024, 768, 1032),
    ("gemini-3-low", 4000, 3000, 280), ("gemini-3-high", 4000, 3000, 1120),
    ("gpt-4o", 1024, 1024, 765), ("gpt-4o", 2048, 4096, 1105), ("gpt-4.1-mini", 1800, 2400, 2352),
    ("gpt-6", 1024, 1024, 1229), ("gpt-5.5", 1024, 1024, 1229), ("gpt-5.5-original", 1024, 1024, 1229),
    ("gpt-5.5-original", 4032, 3024, 11868), ("gpt-6-original", 4032, 3024, 14364),
    ("gpt-6", 4032, 3024, 2942),
    ("gpt-5.5", 4032, 3024, 2942), ("gpt-5.5-low", 640, 480, 231), ("gpt-6-original", 3200, 960, 3600),
    ("gpt-4o-low", 4096, 8192, 85), ("claude-legacy", 1000, 1000, 1334), ("claude-legacy", 1092, 1092, 1590),
    ("claude-high", 1075, 1520, 2145), ("claude", 1920, 1080, 1560),
    ("qwen-2.5-vl", 1024, 768, 999), ("qwen-3-vl", 1024, 768, 768), ("qwen-3-vl", 1, 1, 64),
  ])
  func documentedCounts(id: String, width: Int, height: Int, tokens: Int) throws {
    let profile = try #require(TokenProfile.named(id))
    #expect(profile.tokens(for: PixelSize(width: width, height: height)) == tokens)
  }

  @Test func anthropicResizesAsDocumented() throws {
    let profile = try #require(TokenProfile.named("claude"))
    #expect(
      profile.seenSize(for: PixelSize(width: 1075, height: 1520)) == PixelSize(width: 924, height: 1307))
    #expect(
      profile.seenSize(for: PixelSize(width: 1920, height: 1080)) == PixelSize(width: 1456, height: 819))
  }

  /// IMG-2: the best size is within the budget, not larger than the source and of its shape, and no larger size would be better.
  @Test(
    arguments: TokenProfile.all.map(\.id), [(4000, 3000), (1280, 720), (3024, 4032), (333, 1000), (5, 5)])
  func bestSizeIsBest(id: String, sides: (Int, Int)) throws {
    let profile = try #require(TokenProfile.named(id))
    let size = PixelSize(width: sides.0, height: sides.1)
    for budget in [85, 258, 300, 516, 765, 1032, 1120, 1600, 5000] {
      let best = profile.bestSize(for: size, maxTokens: budget)
      let affordable = stride(from: size.longSide, through: 1, by: -1)
        .map { size.fitted(longSide: $0) }.filter { profile.tokens(for: $0) <= budget }
      guard let best else {
        #expect(affordable.isEmpty)
        continue
      }
      #expect(profile.tokens(for: best) <= budget && best.longSide <= size.longSide)
      #expect(best == size.fitted(longSide: best.longSide))
      let seen = { (size: PixelSize) in min(profile.seenSize(for: size).area, size.area) }
      #expect(affordable.allSatisfy { seen($0) <= seen(best) })
    }
  }

  /// The seed's table gives 1024×768 for 516 tokens. By the vendor's rule that size costs 1,032 tokens, which would also pay for
  /// 1536×1152.
  @Test func theTwoGeminiRulesDisagree() throws {
    let (seed, vendor) = (
      try #require(TokenProfile.named("seed")), try #require(TokenProfile.named("gemini-2"))
    )
    let photo = PixelSize(width: 4032, height: 3024)
    #expect(seed.bestSize(for: photo, maxTokens: 516) == PixelSize(width: 1024, height: 768))
    #expect(vendor.bestSize(for: photo, maxTokens: 516) == PixelSize(width: 384, height: 288))
    #expect(vendor.bestSize(for: photo, maxTokens: 1032) == PixelSize(width: 1536, height: 1152))
  }

  /// With low detail the model sees 512 pixels, whatever size is sent.
  @Test func lowDetailShowsFewPixels() throws {
    let low = try #require(TokenProfile.named("gpt-4o-low"))
    #expect(low.seenSize(for: PixelSize(width: 4096, height: 3072)) == PixelSize(width: 512, height: 384))
    #expect(low.seenSize(for: PixelSize(width: 400, height: 300)) == PixelSize(width: 400, height: 300))
    #expect(
      low.bestSize(for: PixelSize(width: 4096, height: 3072), maxTokens: 85)
        == PixelSize(width: 512, height: 384))
  }

  @Test func idsAreUniqueAndSourced() {
    #expect(Set(TokenProfile.all.map(\.id)).count == TokenProfile.all.count)
    #expect(TokenProfile.all.allSatisfy { !$0.source.isEmpty && $0.asOf.count == 10 })
  }
}
