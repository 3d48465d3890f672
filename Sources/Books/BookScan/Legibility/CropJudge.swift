import Imagery

/// Divides a picture into crops, finds the cheapest size of each crop, and compares the crops with the whole picture.
struct CropJudge {
  let trials: PhotoTrials
  let goal: LegibilityGoal
  let reader: LegibilityReader
  let settings: PhotoSettings

  /// - Throws: `ReaderFailure`, `ImageError`.
  func decide() throws -> CropLegibility {
    let judge = WordJudge(trials, goal, reader)
    let full = try trials.full()
    let words = LegibleWords(try judge.read(full.bytes))
    let whole = try judge.decide(words, full.size)
    var result = CropLegibility(
      whole: whole, crops: [], areChosen: false, goal: goal.share, readings: whole.readings)
    guard !words.words.isEmpty else { return result }
    let plan = CropPlan(words.words.map(\.region), of: full.size)
    let cutter = try PictureCutter(full.bytes)
    do {
      for part in plan.parts {
        let (crops, readings) = try crops(part, plan, words, cutter, divides: true)
        result.crops += crops
        result.readings += readings
      }
    } catch ImageError.budgetUnattainable {
      // The crop's share of the budget is too small for any photo.
      result.crops = []
      return result
    }
    result.crops.sort { ($0.box.y, $0.box.x) < ($1.box.y, $1.box.x) }
    result.areChosen = isBetter(result)
    return result
  }

  private func isBetter(_ result: CropLegibility) -> Bool {
    let whole = result.whole
    if result.isKept != whole.isKept { return result.isKept }
    return result.isKept ? result.tokens < whole.chosen.tokens : result.kept > whole.chosen.kept
  }

  /// Returns the part as one crop, or as two halves if one crop cannot keep the share of words and the halves keep more.
  private func crops(
    _ part: [Int], _ plan: CropPlan, _ words: LegibleWords, _ cutter: PictureCutter, divides: Bool
  ) throws -> (crops: [CropLegibility.Crop], readings: Int) {
    let (crop, readings) = try crop(part, plan, words, cutter)
    guard divides, Double(crop.chosen.kept) < goal.share * Double(crop.words) - 1e-9,
      let halves = plan.halves(part)
    else { return ([crop], readings) }
    var (both, all) = ([CropLegibility.Crop](), readings)
    for half in halves {
      let (crops, readings) = try crops(half, plan, words, cutter, divides: false)
      both += crops
      all += readings
    }
    return (both.reduce(0) { $0 + $1.chosen.kept } > crop.chosen.kept ? both : [crop], all)
  }

  private func crop(
    _ part: [Int], _ plan: CropPlan, _ words: LegibleWords, _ cutter: PictureCutter
  ) throws -> (CropLegibility.Crop, readings: Int) {
    let (picture, box) = try cutter.cut(plan.box(part))
    var goal = goal
    // Each crop gets a part of the budget in proportion to its words. The product may be greater than an Int.
    goal.maxTokens = goal.maxTokens.map {
      words.words.count.dividingFullWidth($0.multipliedFullWidth(by: part.count)).quotient
    }
    let trials = try PhotoTrials(picture, .upright, cutter.settings(settings), goal)
    let inside = LegibleWords(words: part.map { words.words[$0].moved(by: Point(x: -box.x, y: -box.y)) })
    let found = try WordJudge(trials, goal, reader).decide(inside, picture.format.size)
    return (
      CropLegibility.Crop(box: box, chosen: found.chosen, words: part.count, photo: found.photo),
      found.readings - 1
    )
  }
}

/// Cuts crops out of an upright picture.
private struct PictureCutter {
  private let whole: PixelBuffer
  private let pool = PixelBufferPool()

  /// Decodes the picture.
  /// - Parameter bytes: an upright JPEG file.
  init(_ bytes: [UInt8]) throws(ImageError) {
    whole = try ImageConverter(pool: pool).convert(ImageFile.read(bytes).image, to: .i420, color: .jpeg)
  }

  /// Returns the settings for a crop, without the steps that were already applied to the whole picture.
  func settings(_ settings: PhotoSettings) -> PhotoSettings {
    var settings = settings
    (settings.zoom, settings.exposureBias, settings.look, settings.orientationMode) = (1, 0, nil, .baked)
    return settings
  }

  /// Cuts out a box.
  /// - Returns: the crop, and its box, whose left and upper edges are even.
  func cut(_ box: Box) throws(ImageError) -> (PixelBuffer, Box) {
    let size = whole.format.size
    let (left, top) = (min(Int(box.x) & ~1, size.width - 1 & ~1), min(Int(box.y) & ~1, size.height - 1 & ~1))
    let width = min(size.width - left, max(2, Int(box.maxX.rounded(.up)) - left))
    let height = min(size.height - top, max(2, Int(box.maxY.rounded(.up)) - top))
    let part = try pool.makeBuffer(
      ImageFormat(pixelFormat: .i420, size: PixelSize(width: width, height: height), color: .jpeg))
    for (index, (from, to)) in zip(whole.planes, part.planes).enumerated() {
      let shift = min(index, 1)
      for row in 0..<to.height {
        (to.base + row * to.bytesPerRow).copyMemory(
          from: from.base + ((top >> shift) + row) * from.bytesPerRow + (left >> shift),
          byteCount: (width + shift) >> shift)
      }
    }
    return (part, Box(x: Double(left), y: Double(top), width: Double(width), height: Double(height)))
  }
}
