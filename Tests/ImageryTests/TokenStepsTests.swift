import Imagery
import Testing

/// The sizes that are worth a trial under a token profile.
@Suite struct TokenStepsTests {
  private static let sizes = [(4000, 3000), (1280, 720), (3024, 4032), (333, 1000), (5, 5), (128, 40)]

  private func steps(_ id: String, _ size: PixelSize, maxTokens: Int? = nil) throws -> [TokenStep] {
    try #require(TokenProfile.named(id)).steps(for: size, maxTokens: maxTokens)
  }

  /// The steps have the picture's shape, lie within 1920 pixels and the limit, and each shows more than the cheaper ones.
  @Test(arguments: TokenProfile.all.map(\.id), sizes)
  func stepsShowMoreForMore(id: String, sides: (Int, Int)) throws {
    let profile = try #require(TokenProfile.named(id))
    let size = PixelSize(width: sides.0, height: sides.1)
    let steps = try steps(id, size)
    #expect(!steps.isEmpty && steps.count <= 40)
    for step in steps {
      #expect(step.size == size.fitted(longSide: step.size.longSide) && step.size.longSide <= 1920)
      #expect(step.tokens == profile.tokens(for: step.size) && step.seen.area <= step.size.area)
    }
    for (cheap, dear) in zip(steps, steps.dropFirst()) {
      #expect(cheap.tokens < dear.tokens && cheap.seen.area < dear.seen.area)
    }
    let limit = steps[steps.count / 2].tokens
    #expect(try self.steps(id, size, maxTokens: limit).allSatisfy { $0.tokens <= limit })
    #expect(try self.steps(id, size, maxTokens: 0).isEmpty)
  }

  /// No size within 1920 pixels shows the model more than the most expensive step.
  @Test(arguments: TokenProfile.all.map(\.id)) func theDearestShowsMost(id: String) throws {
    let profile = try #require(TokenProfile.named(id))
    let size = PixelSize(width: 4000, height: 3000)
    let best = try #require(try steps(id, size).last)
    for longSide in stride(from: 128, through: 1920, by: 7) {
      let other = size.fitted(longSide: longSide)
      let seen = profile.seenSize(for: other)
      // The vendor's resizing rounds, so a difference of one pixel is no gain.
      #expect(min(seen.longSide, other.longSide) <= best.seen.longSide + 1)
    }
  }

  @Test func tilesGiveTheLargestSizeOfEachCost() throws {
    let steps = try steps("seed", PixelSize(width: 4000, height: 3000))
    #expect(steps.map(\.tokens) == [258, 516, 1032, 1548])
    #expect(steps.map(\.size.longSide) == [768, 1024, 1536, 1920])
  }

  @Test func whatTheVendorShrinksAwayIsNotSent() throws {
    let steps = try steps("gpt-4o", PixelSize(width: 4000, height: 3000))
    #expect(steps.last?.size == PixelSize(width: 1024, height: 768))
  }

  @Test func aFlatPriceHasOneStep() throws {
    let steps = try steps("gemini-3-high", PixelSize(width: 4000, height: 3000))
    #expect(steps.map(\.size.longSide) == [1920])
  }

  /// For each of the seed's sizes, a step of at most the same cost shows at least as much.
  @Test(arguments: ["gpt-4.1-mini", "claude-high", "qwen-3-vl"]) func laddersHoldTheSeedsSizes(id: String)
    throws
  {
    let profile = try #require(TokenProfile.named(id))
    let size = PixelSize(width: 4000, height: 3000)
    let steps = try steps(id, size)
    #expect(steps.count > 8)
    for longSide in [1024, 1536, 1920] {
      let cost = profile.tokens(for: size.fitted(longSide: longSide))
      let step = try #require(steps.last { $0.tokens <= cost })
      let seen = profile.seenSize(for: size.fitted(longSide: longSide))
      #expect(step.seen.area >= min(seen.area, size.fitted(longSide: longSide).area))
    }
  }
}
