import Imagery
import System
import Testing

@testable import BookScan

@Suite struct LegibilitySolverTests {
  private func solve(
    _ reading: ScriptedReading?, profile: String = "seed", share: Double = 0.98, maxTokens: Int? = nil,
    size: PixelSize = ScriptedReading.full, settings: PhotoSettings = PhotoSettings()
  ) throws -> Legibility {
    let goal = LegibilityGoal(
      profile: try #require(TokenProfile.named(profile)), share: share, maxTokens: maxTokens)
    return try LegibilitySolver(goal, reader: reading?.reader)
      .solve(try ScriptedReading.picture(size), orientation: .upright, settings: settings)
  }

  /// The reader needs letters of 10 pixels, so letters of `height` pixels have an exact smallest size of picture.
  @Test(arguments: [(40.0, 768, 258), (26, 1024, 516), (20, 1536, 1032), (13, 1920, 1548)])
  func theCheapestSizeThatKeepsTheWordsIsFound(height: Double, longSide: Int, tokens: Int) throws {
    let reading = ScriptedReading([Double](repeating: height, count: 50))
    let result = try solve(reading)
    #expect(result.photo.size.longSide == longSide && result.chosen.size == result.photo.size)
    #expect(result.chosen.tokens == tokens && result.chosen.kept == 50 && result.words == 50)
    #expect(result.isKept && result.judge == .recognition && result.judgeName == "scripted")
    #expect(
      result.readings == reading.shown.withLock { $0.count } && result.readings == result.trials.count + 1)
    #expect(reading.shown.withLock { $0.first } == 2400)
    #expect(result.notes.isEmpty)
  }

  /// The result is the least size that is large enough. Of about 25 steps, only a few are read.
  @Test(arguments: [60.0, 33, 21, 14]) func aLadderIsSearchedWithFewReadings(height: Double) throws {
    let profile = try #require(TokenProfile.named("claude-high"))
    let reading = ScriptedReading([Double](repeating: height, count: 30))
    let result = try solve(reading, profile: "claude-high")
    let least = profile.steps(for: ScriptedReading.full).first {
      height * Double($0.seen.longSide) / 2400 >= 10
    }
    #expect(result.chosen.tokens == least?.tokens && result.isKept)
    #expect(result.readings <= 8)
    #expect(zip(result.trials, result.trials.dropFirst()).allSatisfy { $0.tokens < $1.tokens })
  }

  /// Of fifty words, one may be lost if 98 % must be kept, and none if 99 % must.
  @Test func theShareIsTheOneAskedFor() throws {
    let heights = [15.0] + [Double](repeating: 40, count: 49)
    #expect(try solve(ScriptedReading(heights)).chosen.tokens == 258)
    #expect(try solve(ScriptedReading(heights), share: 0.99).chosen.tokens == 1548)
    #expect(try solve(ScriptedReading(heights), share: 0.98).chosen.kept == 49)
  }

  @Test func whereNoSizeKeepsItTheBestIsTold() throws {
    let heights = (0..<40).map { $0 < 20 ? 11.0 : 40 }
    let result = try solve(ScriptedReading(heights))
    #expect(!result.isKept && result.chosen.kept == 20 && result.chosen.share == 0.5)
    // Of the sizes that keep equally many words, the solver chooses the cheapest that it tried.
    #expect(result.trials.allSatisfy { $0.kept <= 20 })
    #expect(result.chosen.tokens == result.trials.filter { $0.kept == 20 }.map(\.tokens).min())
  }

  @Test func theBudgetHolds() throws {
    let result = try solve(ScriptedReading([Double](repeating: 20, count: 30)), maxTokens: 600)
    #expect(!result.isKept && result.trials.allSatisfy { $0.tokens <= 600 })
    let reading = ScriptedReading([20])
    #expect(throws: ImageError.self) { try solve(reading, maxTokens: 100) }
    #expect(reading.shown.withLock { $0.isEmpty })
  }

  /// By Gemini's rule, a photo that becomes smaller for its bytes may cost more than the size that was meant.
  @Test func aByteLimitKeepsToTheTokensOfTheStep() throws {
    let profile = try #require(TokenProfile.named("gemini-2"))
    let picture = try ScriptedReading.picture(PixelSize(width: 600, height: 450))
    var random = SplitMix64(seed: 3)
    for place in 0..<picture.planes[0].byteCount {
      picture.planes[0].base.storeBytes(
        of: UInt8.random(in: 0...255, using: &random), toByteOffset: place, as: UInt8.self)
    }
    let goal = LegibilityGoal(profile: profile, maxTokens: 1032)
    for thousands in stride(from: 30, through: 120, by: 3) {
      let trials = try PhotoTrials(
        picture, .upright, PhotoSettings(maximumBytes: thousands * 1000), goal)
      let step = try #require(trials.steps.last)
      #expect(step.tokens == 1032)
      let photo = try trials.photo(step)
      #expect(photo.bytes.count <= thousands * 1000 && profile.tokens(for: photo.size) <= 1032)
    }
  }

  /// The reader fails at some sizes for no reason. The chosen size was read and keeps enough words.
  @Test(arguments: [[1024], [1536], [768, 1536], [1920]]) func aReaderNeedNotBeMonotone(blind: [Int]) throws {
    let reading = ScriptedReading(
      [Double](repeating: 40, count: 30), leastHeight: { blind.contains($0) ? 999 : 10 })
    let result = try solve(reading)
    #expect(result.isKept && result.chosen.share == 1 && !blind.contains(result.photo.size.longSide))
    #expect(result.trials.contains(result.chosen))
  }

  @Test func withoutWordsThePhotoHasItsOrdinarySize() throws {
    let result = try solve(ScriptedReading([]))
    #expect(result.photo.size.longSide == 1024 && result.words == 0 && result.readings == 1 && result.isKept)
    #expect(result.judge == .recognition && result.notes.count == 1)
    #expect(try solve(ScriptedReading([]), maxTokens: 300).photo.size.longSide == 768)
  }

  /// If any reading fails, the proxy measure decides, and the result gives the reason.
  @Test(arguments: [1, 2]) func whereReadingFailsTheProxyDecidesAndIsNamed(number: Int) throws {
    let error = ScanError.recognition(engine: "scripted", reason: "it was told to")
    let reading = ScriptedReading([40, 40, 40], trouble: { if $0 == number { throw error } })
    let result = try solve(reading)
    #expect(result.judge == .proxy && result.judgeName == ProxyJudge.name && result.readings == 0)
    #expect(result.notes.first?.contains("it was told to") == true)
    #expect(result.photo.size.longSide == 1024)
  }

  @Test func cancellationIsNoReasonToGuess() throws {
    let reading = ScriptedReading([40], trouble: { _ in throw CancellationError() })
    #expect(throws: CancellationError.self) { try solve(reading) }
  }

  @Test(arguments: [
    PixelSize(width: 1, height: 1), PixelSize(width: 40, height: 9), PixelSize(width: 9, height: 200),
  ])
  func tinyPicturesAreNotEnlarged(size: PixelSize) throws {
    for reading in [ScriptedReading([400, 400]), ScriptedReading([]), nil] {
      let result = try solve(reading, profile: "claude", size: size)
      #expect(result.photo.size.longSide <= size.longSide && result.isKept)
    }
  }

  /// If the vendor reduces a picture, the reduced picture is read.
  @Test func aPictureIsReadAsTheModelSeesIt() throws {
    let reading = ScriptedReading([Double](repeating: 20, count: 20))
    let result = try solve(reading, profile: "gpt-4o")
    #expect(!result.isKept && reading.shown.withLock { $0.dropFirst().allSatisfy { $0 <= 1024 } })
  }

  /// The photo differs from the requested settings only in its size.
  @Test func otherSettingsHold() throws {
    let settings = PhotoSettings(
      maximumLongSide: 1300, orientationMode: .tagged, quality: 40, container: .jpeg)
    let goal = LegibilityGoal(profile: try #require(TokenProfile.named("seed")))
    let image = try ScriptedReading.picture(PixelSize(width: 1800, height: 2400))
    let reading = ScriptedReading([Double](repeating: 30, count: 20))
    let result = try LegibilitySolver(goal, reader: reading.reader)
      .solve(image, orientation: Orientation(rotation: .clockwise90), settings: settings)
    #expect(result.photo.exifOrientation == 6 && result.photo.quality == 40)
    #expect(result.photo.size == PixelSize(width: 1024, height: 768) && result.isKept)
  }
}

@Suite struct CheapestSearchTests {
  /// For every threshold and every first guess, the search finds the threshold, and tries no size twice.
  @Test func monotoneSizesAreSearchedRightly() {
    for count in 1...14 {
      for threshold in 0...count {
        for guess in -1...count {
          var asked: [Int] = []
          let found = CheapestSearch(count: count).cheapest(from: guess) { index in
            asked.append(index)
            return index >= threshold
          }
          #expect(found == (threshold == count ? nil : threshold))
          #expect(Set(asked).count == asked.count && asked.count <= 9)
        }
      }
    }
    #expect(CheapestSearch(count: 0).cheapest(from: 0) { _ in true } == nil)
  }

  /// Whatever sizes the reader accepts, the found size was tried and accepted.
  @Test func whatIsFoundWasTried() {
    for pattern in 0..<256 {
      var kept: Set<Int> = []
      let found = CheapestSearch(count: 8).cheapest(from: 4) { index in
        let keeps = pattern >> index & 1 == 1
        if keeps { kept.insert(index) }
        return keeps
      }
      #expect(found == kept.min())
    }
  }
}
