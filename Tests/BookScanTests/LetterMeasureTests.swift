import Imagery
import Testing

@testable import BookScan

/// The measure of letters' heights, which chooses the photo's size when no recogniser can read.
@Suite struct LetterMeasureTests {
  /// Returns a picture with rows of rings, `letter` pixels high, in place of letters.
  private func picture(letter: Int, rows: Int = 8, isDark: Bool = true) throws -> PixelBuffer {
    let size = PixelSize(width: 1600, height: 1200)
    let image = try PixelBufferPool().makeBuffer(ImageFormat(pixelFormat: .grey, size: size, color: .jpeg))
    let plane = image.planes[0]
    let pixels = plane.base.assumingMemoryBound(to: UInt8.self)
    for y in 0..<size.height {
      for x in 0..<size.width { pixels[y * plane.bytesPerRow + x] = isDark ? 200 : 50 }
    }
    let (width, stroke) = (letter * 2 / 3, max(2, letter / 6))
    for row in 0..<rows {
      for column in 0..<24 {
        let (left, top) = (40 + column * letter * 5 / 4, 40 + row * letter * 2)
        for y in 0..<letter {
          for x in 0..<width where x < stroke || x >= width - stroke || y < stroke || y >= letter - stroke {
            guard left + x < size.width, top + y < size.height else { continue }
            pixels[(top + y) * plane.bytesPerRow + left + x] = isDark ? 40 : 220
          }
        }
      }
    }
    return image
  }

  private func measure(_ image: PixelBuffer) throws -> LetterMeasure {
    try LetterMeasure(try UprightPhoto(image, orientation: .upright))
  }

  @Test(arguments: [12, 24, 48], [true, false]) func lettersAreMeasured(letter: Int, isDark: Bool) throws {
    let heights = try measure(try picture(letter: letter, isDark: isDark)).heights
    // The inside of a ring may count as a smaller letter.
    #expect(heights.count { abs($0 - Double(letter)) <= 2 } >= 120)
  }

  @Test func aPlainPictureHasNone() throws {
    #expect(try measure(try picture(letter: 24, rows: 0)).heights.isEmpty)
  }

  /// Taller letters need fewer tokens. If letters are too small within the budget, the result says so.
  @Test func theProxyStepsUp() throws {
    let goal = LegibilityGoal(profile: try #require(TokenProfile.named("seed")))
    let sizes = try [48, 18, 11].map { letter in
      let result = try LegibilitySolver(goal, reader: nil)
        .solve(try picture(letter: letter), orientation: .upright)
      #expect(result.judge == .proxy && result.readings == 0 && result.isKept && result.words > 100)
      return result.photo.size.longSide
    }
    #expect(sizes == sizes.sorted() && Set(sizes).count == 3, "\(sizes)")
    let tight = LegibilityGoal(profile: goal.profile, maxTokens: 258)
    let low = try LegibilitySolver(tight, reader: nil).solve(try picture(letter: 11), orientation: .upright)
    #expect(!low.isKept && low.photo.size.longSide == 768)
  }
}
