/// Decides the reading direction of candidates. Reads each in its likely direction, and, if that reading is unsure, from the
/// other end; keeps the better reading. If candidates overlap, keeps the better one.
struct DirectionDecision {
  let reader: LineReader
  let plan: RecognitionPlan
  /// The share of a candidate's area that a line must overlap to cover the candidate.
  private static let coverage = 0.7

  /// Returns the best reading of each candidate, tier by tier. Skips a candidate that a line of an earlier tier covers, if that
  /// line was read surely.
  func readings(_ tiers: [[TextCandidate]], in photo: Raster) throws(ScanError) -> [TextLine] {
    var lines: [TextLine] = []
    for tier in tiers {
      let sure = lines.filter { $0.confidence >= plan.sureness }
      lines += try read(Self.uncovered(tier.map(\.region), by: sure.map(\.region)), in: photo)
    }
    return lines
  }

  /// Returns the readings that are sure enough, without overlaps.
  func settled(_ readings: [TextLine]) -> [TextLine] {
    Self.withoutOverlaps(readings.filter { $0.confidence >= plan.leastConfidence })
  }

  static func uncovered(_ regions: [TextRegion], by others: [TextRegion]) -> [TextRegion] {
    regions.filter { region in
      !others.contains { other in
        let distance = other.center - region.center
        let reach = (region.length + other.length + region.height + other.height) / 2
        return distance.dot(distance) < reach * reach && other.intersection(region) > coverage * region.area
      }
    }
  }

  private func read(_ regions: [TextRegion], in photo: Raster) throws(ScanError) -> [TextLine] {
    var lines = try read(regions, photo)
    try improve(&lines, below: plan.doubt) { (regions) throws(ScanError) in
      try read(regions.map(\.reversed), photo)
    }
    try improve(&lines, below: plan.faint) { (regions) throws(ScanError) in
      try read(regions, photo, isFaint: true)
    }
    return lines
  }

  /// Reads the lines whose confidence is below `doubt` in another way, and keeps the reading of greater weight.
  private func improve(
    _ lines: inout [TextLine], below doubt: Double, _ read: ([TextRegion]) throws(ScanError) -> [TextLine]
  ) throws(ScanError) {
    let doubtful = lines.indices.filter { lines[$0].confidence < doubt }
    for (index, line) in zip(doubtful, try read(doubtful.map { lines[$0].region }))
    where Self.weight(line) > Self.weight(lines[index]) {
      lines[index] = line
    }
  }

  private func read(_ regions: [TextRegion], _ photo: Raster, isFaint: Bool = false) throws(ScanError)
    -> [TextLine]
  {
    try zip(regions, reader.read(regions, in: photo, isFaint: isFaint)).map { region, reading in
      TextLine(text: reading.text, confidence: reading.confidence, region: region, gaps: reading.gaps)
    }
  }

  /// Returns the weight of a reading, which grows with its confidence and its number of letters and digits.
  static func weight(_ line: TextLine) -> Double {
    line.confidence * line.confidence * Double(line.text.count { $0.isLetter || $0.isNumber }).squareRoot()
  }

  /// Drops each line that overlaps a line of greater weight by more than half of the smaller line's area.
  static func withoutOverlaps(_ lines: [TextLine]) -> [TextLine] {
    var kept: [TextLine] = []
    for line in lines.sorted(by: { weight($0) > weight($1) }) {
      let box = line.region.box
      let isCovered = kept.contains { other in
        let otherBox = other.region.box
        guard box.x < otherBox.maxX, otherBox.x < box.maxX, box.y < otherBox.maxY, otherBox.y < box.maxY
        else {
          return false
        }
        return line.region.intersection(other.region) > 0.5 * min(line.region.area, other.region.area)
      }
      if !isCovered { kept.append(line) }
    }
    return kept
  }
}
