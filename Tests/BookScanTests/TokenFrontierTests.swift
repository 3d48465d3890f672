import Imagery
import System
import Testing

@testable import BookScan

@Suite struct TokenFrontierTests {
  private func frontier(_ height: Double, _ profiles: [String], size: PixelSize = ScriptedReading.full) throws
    -> (TokenFrontier, shown: [Int])
  {
    let reading = ScriptedReading([Double](repeating: height, count: 50))
    let frontier = try TokenFrontier(
      try ScriptedReading.picture(size), orientation: .upright,
      profiles: try profiles.map { try #require(TokenProfile.named($0)) }, reader: reading.reader)
    return (frontier, reading.shown.withLock { $0 })
  }

  /// Letters of 26 pixels at a long side of 2400 have the legible 10 pixels from a long side of 924 on.
  @Test func eachSizeTellsItsCostAndWhatItKeeps() throws {
    let (frontier, _) = try frontier(26, ["seed"])
    #expect(frontier.points.map(\.size.longSide) == [512, 640, 768, 1024, 1280, 1536, 1920])
    #expect(frontier.words == 50 && frontier.points.map(\.kept) == [0, 0, 0, 50, 50, 50, 50])
    #expect(frontier.points.map(\.tokens) == [258, 258, 258, 516, 1032, 1032, 1548])
    #expect(frontier.points.allSatisfy { $0.bytes > 0 && $0.milliseconds > 0 && $0.seen == $0.size })
    #expect(frontier.cheapest("seed", share: 0.98)?.size.longSide == 1024)
    #expect(frontier.cheapest("claude", share: 0.98) == nil)
  }

  /// If a model sees a smaller copy of the picture, the words in that copy count.
  @Test func whatTheVendorShrinksIsReadShrunk() throws {
    let (frontier, shown) = try frontier(26, ["gpt-4o"])
    let largest = try #require(frontier.points.last)
    #expect(largest.size.longSide == 1920 && largest.seen.longSide == 1024)
    #expect(shown.dropFirst().allSatisfy { $0 <= 1024 })
    let (small, _) = try self.frontier(22, ["gpt-4o"])
    #expect(small.points.allSatisfy { $0.kept == 0 })
  }

  /// Each size is read once, even if several profiles use it.
  @Test func profilesShareTheirReadings() throws {
    let (one, _) = try frontier(26, ["seed"])
    let (two, shown) = try frontier(26, ["seed", "gemini-2"])
    #expect(one.readings == 8 && two.readings == 8 && shown.count == 8)
    #expect(two.points.count == 14)
  }

  @Test func noSizeIsLargerThanThePicture() throws {
    let (frontier, _) = try frontier(100, ["seed"], size: PixelSize(width: 800, height: 600))
    #expect(frontier.points.map(\.size.longSide) == [512, 640, 768])
  }

  @Test func withoutProfilesNothingIsRead() throws {
    let (frontier, shown) = try frontier(26, [])
    #expect(frontier.points.isEmpty && shown.isEmpty)
  }
}
