import Imagery
import Testing

@testable import BookScan

/// A picture whose pixels encode their position: luma rises from top to bottom, Cb from left to right. Its reader decodes which
/// part it is shown, and returns the words in that part whose letters are at least ten pixels high.
private struct WrittenPicture: Sendable {
  var words: [(x: Double, y: Double, height: Double)]
  static let size = PixelSize(width: 4000, height: 3000)

  func picture() throws -> PixelBuffer {
    let picture = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .i420, size: Self.size, color: .jpeg))
    for (index, plane) in picture.planes.enumerated() {
      let across = (0..<plane.bytesPerRow).map { UInt8(28 + min(1, Double($0) / 2000) * 200) }
      for y in 0..<plane.height {
        let row = plane.base + y * plane.bytesPerRow
        let shade = index == 2 ? 128 : UInt8(28 + Double(y) / Double(plane.height) * 200)
        row.initializeMemory(as: UInt8.self, repeating: shade, count: plane.bytesPerRow)
        if index == 1 {
          across.withUnsafeBytes { row.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        }
      }
    }
    return picture
  }

  var reader: LegibilityReader {
    LegibilityReader(name: "written") { bytes in
      let shown = try ImageConverter(pool: PixelBufferPool()).convert(
        ImageFile.read(bytes).image, to: .i420, color: .jpeg)
      let size = shown.format.size
      let down = Self.span(shown.planes[0], width: size.width, alongRows: false)
      let across = Self.span(shown.planes[1], width: size.width / 2, alongRows: true)
      let (left, width) = (across.start * 4000, across.length * 4000)
      // Crops are wide and low, so the scale is computed from the width.
      let factor = Double(size.width) / width
      let height = Double(size.height) / factor
      let top = (down.start + down.length / 2) * 3000 - height / 2
      return words.enumerated().compactMap { number, word in
        guard word.x > left, word.x < left + width, word.y > top, word.y < top + height,
          word.height * factor >= 10
        else { return nil }
        return LegibleWordsTests.line(
          Self.word(number), x: (word.x - left) * factor, y: (word.y - top) * factor,
          height: word.height * factor)
      }
    }
  }

  /// Returns the start and the length of the shown part along one axis, as shares of the picture, computed from the means of its
  /// two halves.
  private static func span(_ plane: Plane, width: Int, alongRows: Bool) -> (
    start: Double, length: Double
  ) {
    var (sums, counts) = ([0.0, 0.0], [0.0, 0.0])
    for y in stride(from: 0, to: plane.height, by: alongRows ? 16 : 1) {
      for x in stride(from: 0, to: width, by: alongRows ? 1 : 16) {
        let half = alongRows ? (x * 2 < width ? 0 : 1) : (y * 2 < plane.height ? 0 : 1)
        sums[half] += Double((plane.base + y * plane.bytesPerRow + x).load(as: UInt8.self))
        counts[half] += 1
      }
    }
    // Codes were rounded down, by half a code on average. The centre of a half is a quarter of the length from the middle.
    let (first, last) = (sums[0] / counts[0] - 27.5, sums[1] / counts[1] - 27.5)
    let length = 2 * (last - first) / 200
    return ((first + last) / 2 / 200 - length / 2, length)
  }

  /// Returns a word of four letters that no other index gives.
  private static func word(_ index: Int) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    return String([letters[index % 26], letters[index % 26], letters[index / 26], letters[index / 26]])
  }
}

@Suite struct CropJudgeTests {
  private func words(_ y: Double, _ height: Double, from: Double = 400, count: Int = 10, apart: Double = 300)
    -> [(
      x: Double, y: Double, height: Double
    )]
  {
    (0..<count).map { (from + Double($0) * apart, y, height) }
  }

  private func solve(
    _ words: [(x: Double, y: Double, height: Double)], maxTokens: Int? = nil, profile: String = "gemini-2"
  ) throws -> CropLegibility {
    let picture = WrittenPicture(words: words)
    let goal = LegibilityGoal(profile: try #require(TokenProfile.named(profile)), maxTokens: maxTokens)
    return try LegibilitySolver(goal, reader: picture.reader).solveInCrops(
      picture.picture(), orientation: .upright)
  }

  /// If the whole picture is reduced to 1920 pixels, letters of 18 pixels are less than ten pixels high.
  @Test func wordsThatCannotBeReadTogetherAreReadApart() throws {
    let result = try solve(words(400, 18, count: 5) + words(2600, 18, from: 2400, count: 5))
    #expect(!result.whole.isKept && result.areChosen && result.isKept)
    #expect(result.crops.count == 2 && result.kept == 10 && result.share == 1)
    #expect(result.crops.map(\.words) == [5, 5] && result.crops[0].box.y < result.crops[1].box.y)
    for crop in result.crops {
      #expect(crop.photo.size.longSide <= 1920 && crop.box.width < 1500 && crop.box.height < 200)
      #expect(crop.chosen.tokens == TokenProfile.named("gemini-2")?.tokens(for: crop.photo.size))
    }
    #expect(result.tokens == result.crops.map(\.chosen.tokens).reduce(0, +))
  }

  /// A row as wide as the picture does not fit into 1920 pixels, so it is halved.
  @Test func aRowThatIsTooWideIsHalved() throws {
    let result = try solve(words(1500, 18, from: 200, count: 36, apart: 100))
    #expect(!result.whole.isKept && result.areChosen)
    // The reader's positions are a few pixels off.
    #expect(result.share > 0.9 && result.crops.map(\.words) == [18, 18])
    #expect(result.crops[0].box.x < result.crops[1].box.x)
  }

  @Test func theWholeStaysWhereItCostsLess() throws {
    let result = try solve(words(400, 120) + words(2600, 120))
    #expect(result.whole.isKept && result.isKept && !result.areChosen)
    #expect(result.tokens >= result.whole.chosen.tokens)
  }

  /// If a model charges by pixels, leaving out empty parts saves tokens.
  @Test func cropsAreTakenWhereTheyCostLess() throws {
    let result = try solve(words(400, 30) + words(2600, 30), profile: "claude-high")
    #expect(result.whole.isKept && result.isKept && result.areChosen)
    #expect(result.tokens < result.whole.chosen.tokens)
  }

  @Test func allCropsTogetherKeepWithinTheBudget() throws {
    let shelf = words(400, 30) + words(2600, 30)
    let free = try solve(shelf, profile: "claude-high")
    let tight = try solve(shelf, maxTokens: free.tokens - 10, profile: "claude-high")
    #expect(tight.crops.isEmpty || tight.tokens <= free.tokens - 10)
    #expect(tight.whole.chosen.tokens <= free.tokens - 10)
    let endless = try solve(shelf, maxTokens: .max, profile: "claude-high")
    #expect(endless.tokens == free.tokens && endless.areChosen == free.areChosen)
    // Divided among the crops, the budget is too small for any photo.
    let none = try solve(shelf, maxTokens: 300)
    #expect(none.crops.isEmpty && !none.areChosen && none.whole.chosen.tokens <= 300)
  }

  @Test func whatHasNoWordsHasNoCrops() throws {
    let result = try solve([])
    #expect(result.crops.isEmpty && !result.areChosen && !result.isKept && result.whole.words == 0)
    #expect(result.whole.notes.count == 1)
  }

  @Test func withoutAReaderThereIsTheWhole() throws {
    let goal = LegibilityGoal(profile: try #require(TokenProfile.named("seed")))
    let picture = try WrittenPicture(words: []).picture()
    let result = try LegibilitySolver(goal, reader: nil).solveInCrops(picture, orientation: .upright)
    #expect(result.crops.isEmpty && !result.areChosen && result.whole.judge == .proxy && result.readings == 0)
    struct Broken: Error {}
    let broken = LegibilityReader(name: "broken") { _ in throw Broken() }
    let failed = try LegibilitySolver(goal, reader: broken).solveInCrops(picture, orientation: .upright)
    #expect(failed.whole.judge == .proxy && failed.whole.notes.count >= 1)
    let stopped = LegibilityReader(name: "stopped") { _ in throw CancellationError() }
    #expect(throws: CancellationError.self) {
      try LegibilitySolver(goal, reader: stopped).solveInCrops(picture, orientation: .upright)
    }
  }

  /// A crop shows the words of its place, whatever the picture's stored orientation.
  @Test(arguments: [Rotation.clockwise90, .half]) func aTurnedPictureHasTheSameCrops(rotation: Rotation)
    throws
  {
    let written = WrittenPicture(words: words(400, 18, count: 5) + words(2600, 18, from: 2400, count: 5))
    let picture = try written.picture()
    let turned = try PhotoPipeline().process(
      picture, orientation: Orientation(rotation: rotation.inverse),
      settings: PhotoSettings(longSide: nil, maximumLongSide: 4000, quality: 95, maximumBytes: nil))
    let goal = LegibilityGoal(profile: try #require(TokenProfile.named("gemini-2")))
    let result = try LegibilitySolver(goal, reader: written.reader)
      .solveInCrops(ImageFile.read(turned.bytes).image, orientation: Orientation(rotation: rotation))
    // The reader's positions are a few pixels off.
    #expect(result.areChosen && result.kept >= 9)
    #expect(result.crops.map(\.words) == [5, 5])
  }
}
