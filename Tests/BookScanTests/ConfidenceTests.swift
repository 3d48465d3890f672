import Glibc
import Imagery
import Testing

@testable import BookScan

@Suite struct ConfidenceModelTests {
  private let regression = LogisticRegression(
    intercept: 0.5,
    terms: [
      .init(feature: .letters, mean: 3, deviation: 2, weight: 1.5),
      .init(feature: .broken, mean: 0.5, deviation: 0.5, weight: -1),
    ])

  @Test func theProbabilityIsTheLogisticFunctionOfTheSum() {
    let expected: Double = 1 / (1 + exp(-(0.5 + 1.5 * (4 - 3) / 2 - (0 - 0.5) / 0.5)))
    #expect(abs(regression.probability([.letters: 4, .broken: 0]) - expected) < 1e-12)
  }

  @Test func whatIsMissingOrNoNumberCountsAsTheMean() {
    let plain = 1 / (1 + exp(-0.5))
    #expect(abs(regression.probability([:]) - plain) < 1e-12)
    #expect(abs(regression.probability([.letters: .nan, .broken: .infinity]) - plain) < 1e-12)
  }

  @Test func oneFeatureAloneIsBelievedToThreeDeviations() {
    #expect(regression.probability([.letters: 9]) == regression.probability([.letters: 1000]))
    #expect(regression.probability([.letters: 8.9]) < regression.probability([.letters: 9]))
  }

  private let fields = LogisticRegression(
    intercept: 0, terms: [.init(feature: .fields, mean: 3, deviation: 1, weight: 5)])

  private var model: ConfidenceModel {
    let shelf = LogisticRegression(
      intercept: 0, terms: [.init(feature: .flanked, mean: 0.5, deviation: 0.5, weight: 3)])
    return ConfidenceModel(
      shelf: shelf, title: regression, fields: fields, leastShelf: 0.5,
      sure: .init(accurate: 0.9, fast: 0.6), doubtful: 0.4)
  }

  @Test func certaintiesBeginAtTheirProbabilities() {
    let certainties = [0.95, 0.9, 0.89, 0].map {
      model.certainty(0.4, fields: $0, shelf: 0.5, level: .accurate)
    }
    #expect(certainties == [.sure, .sure, .doubtful, .doubtful])
    let fast = [0.89, 0.6, 0.59].map { model.certainty(0.4, fields: $0, shelf: 0.5, level: .fast) }
    #expect(fast == [.sure, .sure, .doubtful])
    for level in RecognitionLevel.allCases {
      #expect(model.certainty(0.39, fields: 1, shelf: 0.5, level: level) == .unlikely)
      #expect(model.certainty(1, fields: 1, shelf: 0.49, level: level) == .unlikely)
    }
  }

  @Test func thePhotoIsJudgedByItsLongRecords() {
    let (yes, no) = (1 / (1 + exp(-3.0)), 1 / (1 + exp(3.0)))
    let shelf = model.shelf([[.flanked: 1, .span: 0.9], [.flanked: 0, .span: 0.1]])
    #expect(abs(shelf - (0.9 * yes + 0.1 * no)) < 1e-12 && model.shelf([]) == 0)
  }

  @Test func aWellReadRecordOfNoShelfIsNoBook() {
    let box = Box(x: 0, y: 0, width: 1, height: 1)
    func judged(_ flanked: Double) -> SpineFinding? {
      let finding = SpineFinding(title: "Dune", confidence: 1, box: box, angle: 0)
      let record = MeasuredRecord(
        finding: finding, features: [.letters: 9, .broken: 0, .flanked: flanked, .fields: 6])
      return model.judged([record], level: .accurate).first?.finding
    }
    let (book, sign) = (judged(1), judged(0))
    #expect(book?.certainty == .sure && sign?.certainty == .unlikely)
    let expected = regression.probability([.letters: 9, .broken: 0]) / (1 + exp(-3))
    #expect(abs((book?.confidence ?? 0) - expected) < 1e-12)
  }

  @Test func theFittedModelIsSound() {
    let model = ConfidenceModel.fitted
    #expect(model.doubtful > 0 && model.leastShelf > 0)
    #expect(RecognitionLevel.allCases.allSatisfy { model.doubtful..<1 ~= model.sure[$0] })
    for part in [model.shelf, model.title] {
      #expect(Set(part.terms.map(\.feature)).count == part.terms.count && part.intercept.isFinite)
      #expect(part.terms.allSatisfy { $0.deviation > 0 && $0.weight.isFinite && $0.mean.isFinite })
    }
  }

  /// A feature that suggests a book never lowers the probability, and one that speaks against a book never raises it.
  @Test(arguments: RecordFeature.allCases) func eachFeatureSpeaksTheWayThatMakesSense(
    _ feature: RecordFeature
  ) {
    let up: Set<RecordFeature> = [
      .letters, .leastLine, .length, .words, .plausible, .span, .margin, .flanked, .weakFlank, .strongFlank,
      .longFlanks, .sides, .parallels, .parallelShare, .flankedShare,
    ]
    let down: Set<RecordFeature> = [
      .digits, .onlyName, .variety, .unevenSize, .lyingAmongStanding, .broken, .fragment, .covered,
    ]
    for part in [ConfidenceModel.fitted.shelf, ConfidenceModel.fitted.title] {
      let weight = part.terms.first { $0.feature == feature }?.weight ?? 0
      if up.contains(feature) { #expect(weight >= 0) }
      if down.contains(feature) { #expect(weight <= 0) }
    }
  }
}

@Suite struct PlausibleWordsTests {
  @Test(arguments: ["The", "McCarthy", "Straßen", "Мастер", "O’Brien", "GÖDEL", "rhythms"])
  func wordsArePlausibleInAnyLanguage(_ word: String) { #expect(PlausibleWords.isPlausible(Substring(word))) }

  @Test(arguments: ["xkcdfgh", "aaa", "tHeRe", "BRT", "7a", "lllusion"])
  func whatNoLanguageHasIsNot(_ word: String) { #expect(!PlausibleWords.isPlausible(Substring(word))) }

  @Test func theShareIsOfLettersAndDigits() {
    #expect(PlausibleWords.share("River 1234") == 5.0 / 9 && PlausibleWords.share("—") == 0)
  }
}

@Suite struct RecordMeasuresTests {
  private let red: (UInt8, UInt8, UInt8) = (40, 40, 200)
  private let blue: (UInt8, UInt8, UInt8) = (200, 60, 40)
  private var row: [TextLine] {
    [
      line("THE SILENT RIVER", x: 21, y: 210, length: 240), line("ON HARBOURS", x: 61, y: 220, length: 220),
      line("WINTER BIRDS", x: 101, y: 200, length: 220), line("A SECOND BOOK", x: 141, y: 210, length: 240),
    ]
  }

  private func measured(_ photo: UprightPhoto, _ lines: [TextLine], _ title: String) throws -> [RecordFeature:
    Double]
  {
    try #require(SpineFinder(photo: photo).measured(lines).first { $0.finding.title == title }).features
  }

  @Test func everyFeatureOfEveryRecordIsMeasured() throws {
    let photo = try shelf([red, blue, red, blue])
    let records = SpineFinder(photo: photo).measured(row)
    #expect(records.count == 4)
    for record in records {
      #expect(record.features.count == RecordFeature.allCases.count)
      #expect(record.features.values.allSatisfy { $0.isFinite })
    }
  }

  @Test func anAuthorReadsLikeAName() throws {
    let photo = try shelf([red, blue, red, blue])
    let lines = [
      line("THE SILENT RIVER", x: 21, y: 180, length: 180),
      line("Peter Miller", x: 21, y: 330, length: 60, height: 9),
      line("WINTER BIRDS", x: 101, y: 200, length: 220),
    ]
    let named = try measured(photo, lines, "THE SILENT RIVER")
    #expect(named[.author] == 1 && (named[.names] ?? 0) > 0.5)
    #expect(try 0...RecordMeasures.surety(1) ~= #require(named[.nearFields]))
    let plain = try measured(photo, lines, "WINTER BIRDS")
    #expect(plain[.author] == 0 && plain[.names] == 0)
  }

  /// Only the model for the fields (title and author) uses features from word lists.
  @Test func namesEditionsAndWordsTellTheFieldsAlone() {
    let model = ConfidenceModel.fitted
    let listed: Set<RecordFeature> = [.names, .edition, .titleFrequency, .titleExcess]
    for part in [model.shelf, model.title] { #expect(listed.isDisjoint(with: part.terms.map(\.feature))) }
    let weights = model.fields.terms.reduce(into: [:]) { $0[$1.feature] = $1.weight }
    #expect((weights[.names] ?? 0) > 0 && (weights[.edition] ?? 0) < 0)
    #expect((weights[.titleFrequency] ?? 0) > 0 && (weights[.titleExcess] ?? 0) < 0)
  }

  @Test func aBookInTheMiddleOfARowHasNeighboursAndEdges() throws {
    let photo = try shelf([red, blue, red, blue])
    let middle = try measured(photo, row, "ON HARBOURS")
    #expect(middle[.sides] == 2 && middle[.flanked] == 1 && middle[.longFlanks] == 2)
    #expect(middle[.standing] == 1 && middle[.lyingAmongStanding] == 0 && middle[.parallelShare] == 1)
    #expect(
      abs((middle[.parallels] ?? 0) - log(4.0)) < 1e-9 && middle[.covered] == 0 && middle[.fragment] == 0)
    let first = try measured(photo, row, "THE SILENT RIVER")
    #expect(first[.sides] == 1)
  }

  @Test func textOnAPlainWallHasNoEdges() throws {
    let photo = try shelf([red, red, red, red], gap: 0)
    let middle = try measured(photo, [row[1]], "ON HARBOURS")
    #expect(
      middle[.flanked] == 0 && middle[.weakFlank] == 0 && middle[.longFlanks] == 0 && middle[.sides] == 0)
  }

  @Test func aPieceOfASpineIsAFragmentAndTheLongerOneIsNot() throws {
    let places = RecordPlaces(
      [
        SpineGroup(lines: [line("THE SILENT RIVER", x: 21, y: 150, length: 200)], row: nil),
        SpineGroup(lines: [line("Jane", x: 21, y: 280, length: 40)], row: nil),
        SpineGroup(lines: [line("Far", x: 21, y: 390, length: 40)], row: nil),
      ].compactMap { RecordPlaces.Place($0) })
    #expect((0..<3).map { places.neighbourhood(of: $0).isFragment } == [false, true, false])
  }

  @Test func textUnderOtherTextIsCovered() throws {
    let places = RecordPlaces(
      [
        SpineGroup(lines: [line("THE SILENT RIVER", x: 21, y: 150, length: 200)], row: nil),
        SpineGroup(lines: [line("SALE", x: 21, y: 150, length: 50)], row: nil),
      ].compactMap { RecordPlaces.Place($0) })
    #expect(abs(places.neighbourhood(of: 0).covered - 0.25) < 1e-9)
    #expect(abs(places.neighbourhood(of: 1).covered - 1) < 1e-9)
  }

  @Test func surerLettersSayMore() {
    let sureties = [0.0, 0.6, 0.9, 0.98, 0.99, 1].map(RecordMeasures.surety)
    #expect(
      zip(sureties, sureties.dropFirst()).allSatisfy { $0 < $1 } && sureties[0] < 0 && sureties[5] < 6.3)
    #expect(RecordMeasures.surety(2) == RecordMeasures.surety(1))
  }

  @Test func theOutlineReachesToTheEdgesOfTheSpineInReadingOrder() throws {
    let photo = try shelf([red, blue, red, blue])
    for angle in [90.0, 270] {
      let lines = row.map { line($0.text, x: $0.region.center.x, y: 210, length: 200, angle: angle) }
      let records = SpineFinder(photo: photo).measured(lines)
      let outline = try #require(records.first { $0.finding.title == "ON HARBOURS" }).finding.outline
      try #require(outline.count == 4)
      let (xs, ys) = (outline.map(\.x), outline.map(\.y))
      #expect(abs((xs.min() ?? 0) - 42) < 3 && abs((xs.max() ?? 0) - 80) < 4, "\(outline)")
      #expect((ys.min() ?? 0) <= 110 && (ys.max() ?? 0) >= 310)
      // The first corner is above the first letter: on the right of text that reads down, on the left of text that reads up.
      #expect(angle == 90 ? outline[0].x > 70 && outline[0].y < 120 : outline[0].x < 50 && outline[0].y > 300)
    }
  }
}
