import BookScan
import Corpora
import Imagery
import Testing

@testable import ScanStation

@Suite struct SpineRegisterTests {
  private let size = PixelSize(width: 1000, height: 800)

  private func spine(_ title: String, _ author: String? = nil, x: Double, confidence: Double = 0.9)
    -> SpineSighting
  {
    SpineSighting(
      spine: SpineFinding(
        title: title, author: author, confidence: confidence,
        box: Box(x: x, y: 100, width: 30, height: 500), angle: 90))
  }

  @Test func copiesOfOneTitleSideBySideStayApart() {
    var register = SpineRegister()
    let shelf = [spine("Emma", x: 100), spine("Emma", x: 140), spine("Dune", x: 180), spine("Emma", x: 220)]
    #expect(register.note(shelf, size: size).allSatisfy { if case .new = $0 { true } else { false } })
    // The same shelf is shifted by 50 pixels, and each spine is recognised.
    let moved = [spine("Emma", x: 50), spine("Emma", x: 90), spine("Dune", x: 130), spine("Emma", x: 170)]
    #expect(register.note(moved, size: size).map { $0.copy?.number } == [1, 2, 3, 4])
    #expect(register.copies.count == 4)
  }

  @Test func aSpineMisreadOnceIsKnownByItsPlace() {
    var register = SpineRegister()
    _ = register.note(
      [spine("Middlemarch", x: 200), spine("Dracula", x: 300), spine("Walden", x: 400)], size: size)
    let again = register.note(
      [spine("Midalemanch", x: 150), spine("Dracula", x: 250), spine("Walden", x: 350)], size: size)
    #expect(again.map { $0.copy?.number } == [1, 2, 3])
    #expect(register.copies[0].title == "Middlemarch")
  }

  @Test func theSurestReadingNamesTheBook() {
    var register = SpineRegister()
    _ = register.note([spine("Dracola", x: 200, confidence: 0.7), spine("Walden", x: 300)], size: size)
    let again = register.note(
      [spine("Dracula", x: 180, confidence: 0.95), spine("Walden", x: 280)], size: size)
    guard case .again(let copy, isSurer: true) = again[0] else {
      Issue.record("\(again)")
      return
    }
    #expect(copy.title == "Dracula" && copy.number == 1)
  }

  /// A hand or the shelf's edge covers the first letter, and the recogniser is sure of the rest. The complete title stays.
  @Test func aReadingThatIsCutNeverNamesTheBook() {
    var register = SpineRegister()
    let shelf = [
      spine("Unter dem Sturm", x: 200, confidence: 0.81), spine("Walden", x: 300), spine("Dracula", x: 400),
    ]
    _ = register.note(shelf, size: size)
    func again(_ title: String, _ confidence: Double, x: Double) -> [SpineStanding] {
      register.note(
        [
          spine(title, x: x, confidence: confidence), spine("Walden", x: x + 100),
          spine("Dracula", x: x + 200),
        ], size: size)
    }
    guard case .again(let copy, isSurer: false) = again("nter dem Sturm", 0.95, x: 180)[0] else {
      Issue.record("the worse reading took the place of the better one")
      return
    }
    #expect(copy.title == "Unter dem Sturm" && copy.number == 1)
    var other = SpineRegister()
    _ = other.note([spine("nter dem Sturm", x: 200, confidence: 0.95), spine("Walden", x: 300)], size: size)
    let whole = other.note(
      [spine("Unter dem Sturm", x: 180, confidence: 0.81), spine("Walden", x: 280)], size: size)
    #expect(whole[0].copy?.title == "Unter dem Sturm" && whole[0].copy?.number == 1)
  }

  /// Returns a cover, whose words run at a right angle to those of the spines.
  private func cover(_ title: String, x: Double, look: UInt64? = nil) -> SpineSighting {
    SpineSighting(
      spine: SpineFinding(
        title: title, confidence: 0.9, box: Box(x: x, y: 100, width: 300, height: 60), angle: 1),
      look: look.map(PerceptualHash.init(bits:)))
  }

  @Test func aBookSeenAsSpineAndAsCoverIsOne() {
    var register = SpineRegister()
    let standings = register.note(
      [spine("Emma", x: 100), cover("Emma", x: 140), spine("Dune", x: 500)], size: size)
    #expect(standings.map { $0.copy?.number } == [1, 1, 2])
    #expect(register.copies.map(\.sightings) == [2, 1])
    // The cover appears alone in a later photo.
    let later = register.note([cover("Dune", x: 100, look: 0)], size: size)
    #expect(later.map { $0.copy?.number } == [2] && register.copies.count == 2)
  }

  /// A book that lies in front of the others is a copy, not a cover.
  @Test func aCopyThatLiesIsACopy() {
    var register = SpineRegister()
    let lying = SpineSighting(
      spine: SpineFinding(
        title: "Emma", confidence: 0.9, box: Box(x: 200, y: 700, width: 500, height: 30), angle: 0))
    #expect(register.note([spine("Emma", x: 100), lying], size: size).map { $0.copy?.number } == [1, 2])
  }

  @Test func aCoverLooksOtherwise() {
    var register = SpineRegister()
    var first = spine("Emma", x: 100)
    first.look = PerceptualHash(bits: 0)
    _ = register.note([first], size: size)
    #expect(register.note([cover("Emma", x: 300, look: .max)], size: size).map { $0.copy?.number } == [1])
  }

  @Test func volumesAreDifferentBooks() {
    let one = SpineText(title: "The Works of Goethe II", author: nil)
    #expect(!one.isSame(as: SpineText(title: "The Works of Goethe III", author: nil)))
    #expect(one.isSame(as: SpineText(title: "The Wonks of Goethe II", author: nil)))
    #expect(
      !SpineText(title: "The Idiot", author: nil).isSame(as: SpineText(title: "The Iliad", author: nil)))
    let foundation = SpineText(title: "Foundation", author: "Isaac Asimov")
    #expect(!foundation.isSame(as: SpineText(title: "Foundation and Empire", author: "Isaac Asimov")))
    #expect(foundation.isSame(as: SpineText(title: "Isaac Asimov", author: "Foundation")))
    #expect(
      !SpineText(title: "Poems", author: "John Keats").isSame(
        as: SpineText(title: "Poems", author: "Emily Dickinson")))
  }

  @Test func aFragmentBecomesPartOfItsSpine() throws {
    func part(_ title: String, y: Double, height: Double) -> SpineSighting {
      SpineSighting(
        spine: SpineFinding(
          title: title, confidence: 0.9, box: Box(x: 500, y: y, width: 30, height: height), angle: 90))
    }
    var register = SpineRegister()
    let others = [spine("Dracula", x: 300), spine("Walden", x: 400)]
    let apart = register.note(
      [part("The Moonstone", y: 100, height: 250), part("Wilkie Collins", y: 400, height: 200)] + others,
      size: size)
    #expect(register.copies.count == 4)
    let whole = register.note(
      [part("The Moonstone Wilkie Collins", y: 100, height: 500)] + others, size: size)
    #expect(whole[0].copy?.number == 1 && register.copies.count == 3)
    let (one, two) = (try #require(apart[0].copy), try #require(apart[1].copy))
    #expect(register.unions == [SpineRegister.Union(fragment: two.id, whole: one.id)])
  }

  @Test func twoSpinesReadAsOneAreNoBook() {
    var register = SpineRegister()
    let apart = [
      spine("Persuasion", x: 100), spine("Middlemarch", x: 150), spine("Walden", x: 300),
      spine("Dracula", x: 400),
    ]
    _ = register.note(apart, size: size)
    let mixed = SpineSighting(
      spine: SpineFinding(
        title: "Persuasion Middlemarch", confidence: 0.99, box: Box(x: 100, y: 100, width: 80, height: 500),
        angle: 90))
    #expect(register.note([mixed, apart[2], apart[3]], size: size)[0] == .unclear)
    #expect(register.copies.count == 4)
  }

  @Test func whatTheEdgeCutsWaitsForTheNextPhoto() {
    var register = SpineRegister()
    #expect(register.note([spine("Middlem", x: 985)], size: size) == [.unclear])
    #expect(register.note([spine("Middlem", x: 985)], size: size, keepsCut: true)[0].copy != nil)
  }

  @Test func booksOfABackendAreKnownByISBNOrText() {
    var register = SpineRegister()
    let dune = NamedBook(title: "Dune", author: "Frank Herbert", isbn: "9780441172719", confidence: 0.9)
    var other = dune
    other.title = "Dune. Deluxe"
    #expect(register.note([dune, dune]).map { $0.copy?.number } == [1, 2])
    #expect(Set(register.copies.map(\.id)).count == 2)
    #expect(register.note([other]).map { $0.copy?.number } == [2])
  }

  @Test func memoryIsBounded() {
    var register = SpineRegister()
    for photo in 0..<60 {
      let titles = (0..<40).map { "Volume \(photo * 40 + $0)" }
      _ = register.note(titles.enumerated().map { spine($1, x: 20 + 24 * Double($0)) }, size: size)
    }
    #expect(register.copies.count == SpineRegister.limit)
  }
}

/// The figures for DUP-1, on drawn shelves with ground truth, read with errors.
@Suite(.enabled(if: (try? Bundled.corpus("shelf-pan")) != nil)) struct DuplicateFigures {
  /// The counts of how the register classified the readings of a corpus.
  struct Tally {
    var spines: Set<Int> = []
    /// The number of complete readings of spines that were seen before.
    var repeats = 0
    /// The number of these readings that were recognised.
    var known = 0
    /// The readings that were taken for another spine.
    var falseMerges: [String] = []
    /// The titles of spines that became two books.
    var doubled: [String] = []
  }

  @Test(arguments: [10, 25]) func everySpineOfThePanIsOneBook(step: Int) throws {
    let corpus = try Bundled.corpus("shelf-pan")
    let reader = try TruthReader(corpus)
    var (register, ids, tally) = (SpineRegister(), [ShelfCopy.ID: Int](), Tally())
    for frame in stride(from: step, through: 300, by: step) {
      let file = "frames/\(String(repeating: "0", count: 6 - "\(frame)".count))\(frame).jpg"
      try note(file, corpus, reader, &register, &ids, &tally)
    }
    #expect(tally.spines.count == 45)
    #expect(register.copies.count == 45)
    #expect(tally.falseMerges == [] && tally.doubled == [])
    #expect(Double(tally.known) >= 0.99 * Double(tally.repeats), "\(tally.known) of \(tally.repeats)")
  }

  /// The register recognises at least 99 % of the repeated readings even if the process restarts after every photo.
  @Test func everySpineOfThePanIsOneBookThroughRestarts() throws {
    let corpus = try Bundled.corpus("shelf-pan")
    let reader = try TruthReader(corpus)
    var (register, ids, tally) = (SpineRegister(), [ShelfCopy.ID: Int](), Tally())
    for frame in stride(from: 25, through: 300, by: 25) {
      let file = "frames/\(String(repeating: "0", count: 6 - "\(frame)".count))\(frame).jpg"
      register = SpineRegister(register.copies.compactMap { register.spine($0.id) })
      try note(file, corpus, reader, &register, &ids, &tally)
    }
    #expect(register.copies.count == 45)
    #expect(tally.falseMerges == [] && tally.doubled == [])
    #expect(Double(tally.known) >= 0.99 * Double(tally.repeats), "\(tally.known) of \(tally.repeats)")
  }

  private func note(
    _ file: String, _ corpus: Corpus, _ reader: TruthReader, _ register: inout SpineRegister,
    _ ids: inout [ShelfCopy.ID: Int], _ tally: inout Tally, variant: Int = 0
  ) throws {
    let read = reader.read(file, variant: variant)
    let luma = try corpus.luma(file)
    let sightings = read.map { SpineSighting(spine: $0.spine, look: PerceptualHash(luma, in: $0.spine.box)) }
    for (standing, read) in zip(register.note(sightings, size: reader.size), read) {
      if read.isWhole, ids.values.contains(read.index) {
        tally.repeats += 1
        if let id = standing.copy?.id, ids[id] == read.index { tally.known += 1 }
      }
      switch standing {
      case .new(let copy):
        if ids.values.contains(read.index) { tally.doubled.append(read.spine.title) }
        ids[copy.id] = read.index
        tally.spines.insert(read.index)
      case .again(let copy, _):
        if ids[copy.id] != read.index { tally.falseMerges.append("\(read.spine.title) as \(copy.title)") }
      case .unclear: break
      }
    }
  }

  /// Bookcases with up to ten copies of a title. No copy may be taken for another, and each must be recognised in a second photo.
  @Test func copiesInBookcasesStayApart() throws {
    let corpus = try Bundled.corpus("stills-12mp")
    let reader = try TruthReader(corpus)
    var (register, repeats, known) = (SpineRegister(), 0, 0)
    var (merged, shown) = (0, 0)
    for file in Set(reader.truth.spines.compactMap(\.file)).sorted().prefix(3) {
      let luma = try corpus.luma(file)
      let before = register.copies.count
      let spines = reader.truth.spines.filter { $0.file == file }
      func sightings(_ variant: Int, scale: Double) -> [SpineSighting] {
        reader.read(file, variant: variant, width: luma.format.size.width).map { read in
          var spine = read.spine
          let look = PerceptualHash(luma, in: spine.box)
          let box = spine.box
          spine.box = Box(
            x: box.x * scale + 31, y: box.y * scale + 17, width: box.width * scale, height: box.height * scale
          )
          return SpineSighting(spine: spine, look: look)
        }
      }
      let first = register.note(sightings(0, scale: 1), size: luma.format.size, keepsCut: true)
      shown += spines.count
      merged += spines.count - (register.copies.count - before)
      let second = register.note(sightings(1, scale: 0.9), size: luma.format.size, keepsCut: true)
      repeats += second.count
      known += zip(first, second).count { $0.copy?.id == $1.copy?.id }
    }
    #expect(merged == 0, "\(merged) of \(shown) taken for another")
    #expect(Double(known) >= 0.99 * Double(repeats), "\(known) of \(repeats)")
  }
}
