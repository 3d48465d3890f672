/// Reads candidates in their likely direction, and from the other end when unsure, and keeps the surer; of candidates that
/// share a place, the surer.
struct DirectionDecision {
  let reader: LineReader
  let plan: RecognitionPlan

  func lines(_ candidates: [TextCandidate], in photo: Raster) throws(ScanError) -> [TextLine] {
    var lines = try read(candidates.map(\.region), photo)
    try improve(&lines, below: plan.doubt) { (regions) throws(ScanError) in
      try read(regions.map(\.reversed), photo)
    }
    try improve(&lines, below: plan.faint) { (regions) throws(ScanError) in
      try read(regions, photo, isFaint: true)
    }
    return Self.withoutOverlaps(lines.filter { $0.confidence >= plan.leastConfidence })
  }

  /// Reads the lines less sure than `doubt` another way and keeps what says more.
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
      TextLine(text: reading.text, confidence: reading.confidence, region: region)
    }
  }

  /// How much a reading says: letters and digits, surely read.
  static func weight(_ line: TextLine) -> Double {
    line.confidence * line.confidence * Double(line.text.count { $0.isLetter || $0.isNumber }).squareRoot()
  }

  /// Drops lines most of which is covered by a weightier one.
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
