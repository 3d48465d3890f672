import Glibc

/// Measures every feature of the records of a photo.
struct RecordMeasures {
  private let shelf: Shelf
  private let evidence: SpineEvidence
  private let flanks: FlankMeasure
  private let outline: SpineOutline
  private let groups: [SpineGroup]
  private let places: RecordPlaces
  private let spines: [ShelfText.Spine?]
  private let text: ShelfText
  /// The 90th percentile of the lengths of texts with an edge beside them, pixels; 0 without such a text.
  private let longSpan: Double
  private let isFlanked: [Bool]
  private let flankedGroups: [SpineGroup]
  /// The share of the photo's text, by length, with an edge beside it, 0…1.
  private let flankedShare: Double

  /// Prepares the measures of the whole photo.
  /// - Parameter groups: the groups of lines. Those without a line are left out.
  init(_ shelf: Shelf, _ groups: [SpineGroup]) {
    self.shelf = shelf
    evidence = SpineEvidence(shelf: shelf)
    flanks = FlankMeasure(edges: shelf.edges)
    outline = SpineOutline(edges: shelf.edges)
    let placed = groups.compactMap { group in RecordPlaces.Place(group).map { (group, $0) } }
    self.groups = placed.map(\.0)
    places = RecordPlaces(placed.map(\.1))
    spines = self.groups.map(ShelfText.Spine.init)
    text = ShelfText(spines.compactMap(\.self))
    isFlanked = self.groups.map(evidence.hasFlank)
    flankedGroups = zip(self.groups, isFlanked).filter(\.1).map(\.0)
    let spans = zip(places.places, isFlanked).filter(\.1).map(\.0.span).sorted()
    longSpan = spans.isEmpty ? 0 : spans[spans.count * 9 / 10]
    let all = places.places.reduce(0) { $0 + $1.span }
    flankedShare = all > 0 ? spans.reduce(0, +) / all : 0
  }

  /// Returns the record of each group that has words.
  func records() -> [MeasuredRecord] {
    groups.indices.compactMap { index in
      guard let spine = spines[index] else { return nil }
      let colors = spine.lines.map { LineColors($0, in: shelf.edges.photo) }
      let measures = PartMeasures(spine, on: text, colors: colors)
      guard let (told, surety) = PartReading().finding(spine, measures) else { return nil }
      var finding = told
      finding.outline = outline.corners(groups[index])
      var features = text(index, finding)
      features.merge(place(index)) { first, _ in first }
      features.merge(flanks(index, finding)) { first, _ in first }
      features.merge(surroundings(index)) { first, _ in first }
      features[.fields] = Self.surety(surety.probability)
      features[.nearFields] = Self.surety(surety.near)
      features[.names] = surety.authorName
      features[.edition] = surety.hasEdition ? 1 : 0
      features[.titleFrequency] = surety.titleFrequency
      features[.titleExcess] = surety.titleExcess
      return MeasuredRecord(
        finding: finding, features: features, words: measures.measured,
        inks: colors.map { [$0.ink.lightness, $0.ink.a, $0.ink.b] })
    }
  }

  private func text(_ index: Int, _ finding: SpineFinding) -> [RecordFeature: Double] {
    let lines = spines[index]?.worded ?? []
    let text = lines.map(\.text).joined(separator: " ")
    let (letters, digits) = (text.count(where: \.isLetter), text.count(where: \.isNumber))
    let least = lines.map(\.confidence).min()
    return [
      .letters: Self.surety(finding.confidence), .leastLine: Self.surety(least ?? finding.confidence),
      .length: min(4, log(1 + Double(letters))),
      .words: min(2.5, log(1 + Double(text.split(separator: " ").count))),
      .plausible: PlausibleWords.share(text),
      .digits: Double(digits) / Double(max(1, letters + digits)),
      .cyrillic: SecondScript.isCyrillic(text) ? 1 : 0,
      .author: finding.author == nil ? 0 : 1,
      .onlyName: finding.author == nil && SpineReading.isName(finding.title) ? 1 : 0,
    ]
  }

  /// Returns −ln(1.002 − p), which spreads high probabilities: the step from 0.98 to 0.99 is about as large as the step from 0.6
  /// to 0.8.
  static func surety(_ probability: Double) -> Double { -log(1.002 - min(max(probability, 0), 1)) }

  private func place(_ index: Int) -> [RecordFeature: Double] {
    let (group, place) = (groups[index], places.places[index])
    let heights = group.lines.map(\.region.height)
    let (low, high) = (max(1, heights.min() ?? 1), max(1, heights.max() ?? 1))
    let photo = shelf.edges.photo
    let box = Box.around(group.lines.map(\.region.box)) ?? Box(x: 0, y: 0, width: 0, height: 0)
    let margin = min(box.x, box.y, Double(photo.width) - box.maxX, Double(photo.height) - box.maxY)
    let letter = max(1, place.letter)
    return [
      .span: longSpan > 0 ? min(1.5, place.span / longSpan) : 0,
      .slenderness: Self.logRatio(place.extent.along.length, place.extent.across.length, -1...4),
      .lines: min(2.5, log(1 + Double(group.lines.count))), .variety: Self.logRatio(high, low, 0...2),
      .unevenSize: abs(Self.logRatio(letter, places.letter, -2...2)),
      .size: Self.logRatio(letter, Double(max(photo.width, photo.height)), -7 ... -1),
      .standing: place.isStanding ? 1 : 0,
      .lyingAmongStanding: !place.isStanding && places.isMostlyStanding ? 1 : 0,
      .broken: evidence.isWhole(group, among: flankedGroups) ? 0 : 1,
      .margin: min(2, max(0, margin / letter)),
    ]
  }

  private func flanks(_ index: Int, _ finding: SpineFinding) -> [RecordFeature: Double] {
    let sides = flanks.flanks(groups[index])
    let steps = sides.map { log(1 + Double($0.step)) }
    let thickness =
      finding.outline.count == 4 ? (finding.outline[3] - finding.outline[0]).length : 0
    let text = groups[index].main.map {
      groups[index].extent(SpineFrame(along: $0.region.along)).across.length
    }
    return [
      .flanked: isFlanked[index] ? 1 : 0, .weakFlank: steps.min() ?? 0, .strongFlank: steps.max() ?? 0,
      .longFlanks: Double(sides.count(where: \.isLong)),
      .fill: thickness > 0 ? min(1, (text ?? 0) / thickness) : 1,
    ]
  }

  private func surroundings(_ index: Int) -> [RecordFeature: Double] {
    let neighbourhood = places.neighbourhood(of: index)
    return [
      .sides: Double(neighbourhood.sides), .parallels: min(3, log(1 + Double(neighbourhood.parallels))),
      .fragment: neighbourhood.isFragment ? 1 : 0, .covered: neighbourhood.covered,
      .records: min(4, log(1 + Double(groups.count))),
      .parallelShare: places.parallelShare(of: index), .flankedShare: flankedShare,
    ]
  }

  private static func logRatio(_ a: Double, _ b: Double, _ range: ClosedRange<Double>) -> Double {
    guard a > 0, b > 0 else { return range.lowerBound }
    return min(max(log(a / b), range.lowerBound), range.upperBound)
  }
}

extension Point {
  var length: Double { dot(self).squareRoot() }
}
