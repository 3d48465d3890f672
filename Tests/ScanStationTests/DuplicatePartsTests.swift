import BookScan
import Foundation
import Imagery
import Library
import Testing
import Uploads

@testable import ScanStation

/// The parts of the spine register, each tested alone.
@Suite struct DuplicatePartsTests {
  private let size = PixelSize(width: 1000, height: 800)

  private func sighting(
    _ title: String, x: Double, y: Double = 100, width: Double = 30, height: Double = 500,
    confidence: Double = 0.9, look: UInt64? = nil
  ) -> SpineSighting {
    SpineSighting(
      spine: SpineFinding(
        title: title, confidence: confidence, box: Box(x: x, y: y, width: width, height: height), angle: 90),
      look: look.map(PerceptualHash.init(bits:)))
  }

  /// Returns the memory of a view with these spines.
  private func memory(_ sightings: [SpineSighting]) -> SpineMemory {
    var memory = SpineMemory()
    memory.beginPhoto()
    let view = memory.beginView()
    for sighting in sightings {
      _ = memory.add(
        sighting, SpineText(title: sighting.spine.title, author: nil), at: sighting.spine.box, in: view)
    }
    return memory
  }

  private func photo(_ sightings: [SpineSighting]) -> SightedPhoto { SightedPhoto(sightings, size: size) }

  // MARK: Memory

  @Test func aNewSpineHasTheIdOfItsFirstFinding() {
    let first = sighting("Dune", x: 100)
    var memory = memory([first])
    #expect(memory.spines[0].copy.id == first.id && memory.spines[0].copy.number == 1)
    // If the finding comes again, for example from a scan that is re-read for a damaged library, the spine gets a new id, because
    // no two spines share one.
    let again = memory.add(first, SpineText(title: "Dune", author: nil), at: nil, in: 1)
    #expect(again.id != first.id && again.number == 2)
  }

  @Test func onlyASurerAndWholeReadingNamesASpine() {
    var memory = memory([sighting("Dracola", x: 100, confidence: 0.7)])
    let text = SpineText(title: "Dracula", author: nil)
    let place = Box(x: 50, y: 100, width: 30, height: 500)
    let surer = sighting("Dracula", x: 50, confidence: 0.9)
    #expect(memory.see(0, as: surer, text, at: place, in: 1, isCut: true).copy.title == "Dracola")
    #expect(memory.see(0, as: surer, text, at: place, in: 1, isCut: false).copy.title == "Dracula")
    let poor = sighting("Dnacula", x: 50, confidence: 0.8)
    #expect(memory.see(0, as: poor, text, at: place, in: 1, isCut: false).isSurer == false)
    #expect(memory.spines[0].copy.title == "Dracula" && memory.spines[0].copy.sightings == 4)
    #expect(memory.spines[0].place == place)
  }

  @Test func memoryIsTheSameAfterARestart() throws {
    var before = memory([sighting("Dune", x: 100, look: 1 << 63 | 5), sighting("Emma", x: 140)])
    before.beginPhoto()
    let view = before.beginView()
    _ = before.add(
      sighting("Walden", x: 0), SpineText(title: "Walden", author: nil), at: nil, in: view)
    let after = SpineMemory(before.spines.map(\.record))
    #expect(after.spines.map(\.record) == before.spines.map(\.record))
    #expect(after.spines.map(\.copy) == before.spines.map(\.copy))
    #expect(after.spines.map(\.text) == before.spines.map(\.text))
    #expect(after.view == 2 && after.photo == 2)
    #expect(after.spines[2].place == nil)
  }

  @Test func theOldestAreForgottenFirst() {
    var memory = memory((0..<SpineMemory.limit + 3).map { sighting("Volume \($0)", x: 100) })
    memory.trim()
    #expect(memory.spines.count == SpineMemory.limit && memory.spines[0].copy.title == "Volume 3")
  }

  // MARK: Alignment

  @Test func aPhotoLiesOverItsViewByWhatReadsTheSame() throws {
    let memory = memory([sighting("Dune", x: 300), sighting("Emma", x: 400), sighting("Walden", x: 500)])
    let moved = photo([sighting("Dune", x: 250), sighting("Emma", x: 350), sighting("Walrus", x: 450)])
    let alignment = try #require(ViewAlignment.best(of: moved, over: memory.spines, latest: 1))
    #expect(alignment.view == 1 && alignment.fit.support == 2)
    #expect(abs(alignment.fit.x - 50) < 1 && abs(alignment.fit.scale - 1) < 0.01)
  }

  @Test func anotherShelfLiesOverNothing() {
    let memory = memory([sighting("Dune", x: 300), sighting("Emma", x: 400)])
    let other = photo([sighting("Walden", x: 300), sighting("Persuasion", x: 400)])
    #expect(ViewAlignment.best(of: other, over: memory.spines, latest: 1) == nil)
    // Only the latest 16 views are compared.
    let same = photo([sighting("Dune", x: 300), sighting("Emma", x: 400)])
    #expect(ViewAlignment.best(of: same, over: memory.spines, latest: 17) == nil)
    #expect(ViewAlignment.best(of: same, over: memory.spines, latest: 16) != nil)
  }

  @Test func whatABackendNamedHasNoPlaceToLieOver() {
    var memory = SpineMemory()
    let view = memory.beginView()
    for title in ["Dune", "Emma"] {
      _ = memory.add(sighting(title, x: 0), SpineText(title: title, author: nil), at: nil, in: view)
    }
    let same = photo([sighting("Dune", x: 300), sighting("Emma", x: 400)])
    #expect(ViewAlignment.best(of: same, over: memory.spines, latest: 1) == nil)
    let matching = PlaceMatching(same, at: same.sightings.map(\.spine.box), in: view, among: memory.spines)
    #expect(matching.owners.isEmpty && matching.mixed.isEmpty)
  }

  // MARK: Place

  @Test func placeDecidesBetweenCopies() {
    let memory = memory([sighting("Emma", x: 100), sighting("Emma", x: 140)])
    let shelf = photo([sighting("Emma", x: 142), sighting("Emma", x: 99), sighting("Emma", x: 300)])
    let matching = PlaceMatching(shelf, at: shelf.sightings.map(\.spine.box), in: 1, among: memory.spines)
    #expect(matching.owners == [0: 1, 1: 0])
  }

  @Test func twoReadAsOneAreMixed() {
    let memory = memory([sighting("Persuasion", x: 100), sighting("Middlemarch", x: 150)])
    let shelf = photo([sighting("Persuasion Middlemarch", x: 100, width: 80)])
    let matching = PlaceMatching(shelf, at: shelf.sightings.map(\.spine.box), in: 1, among: memory.spines)
    #expect(matching.mixed == [0] && matching.owners.isEmpty)
  }

  @Test func aFragmentIsAPart() {
    let memory = memory([
      sighting("The Moonstone", x: 500, height: 250), sighting("Wilkie Collins", x: 500, y: 400, height: 200),
    ])
    let shelf = photo([sighting("The Moonstone Wilkie Collins", x: 500)])
    let matching = PlaceMatching(shelf, at: shelf.sightings.map(\.spine.box), in: 1, among: memory.spines)
    #expect(matching.owners == [0: 0])
    #expect(matching.parts.map(\.part) == [1] && matching.parts.map(\.whole) == [0])
  }

  @Test func aFragmentThatIsShownApartIsNone() throws {
    var register = SpineRegister()
    let others = [sighting("Dracula", x: 300), sighting("Walden", x: 400)]
    _ = register.note(
      [
        sighting("The Moonstone", x: 500, height: 250),
        sighting("Wilkie Collins", x: 500, y: 400, height: 200),
      ] + others, size: size)
    let again = register.note(
      [
        sighting("The Moonstone Wilkie Collins", x: 500),
        sighting("Wilkie Collins", x: 500, y: 400, height: 200),
      ] + others, size: size)
    #expect(again.map { $0.copy?.number } == [1, 2, 3, 4])
    #expect(register.unions.isEmpty && register.copies.count == 4)
  }

  // MARK: Text

  @Test func textIsNoMatchOnAnotherShelf() {
    let memory = memory([sighting("Poems", x: 100), sighting("Letters", x: 140)])
    let other = photo(
      ["Poems", "Walden", "Dracula", "Emma"].enumerated().map { sighting($1, x: 40 * Double($0)) })
    #expect(TextMatching.owners(in: other, besides: [:], except: nil, among: memory.spines).isEmpty)
    let same = photo([sighting("Poems", x: 100), sighting("Walden", x: 140)])
    #expect(TextMatching.owners(in: same, besides: [:], except: nil, among: memory.spines) == [0: 0])
    #expect(TextMatching.owners(in: same, besides: [:], except: 1, among: memory.spines).isEmpty)
    #expect(TextMatching.owners(in: same, besides: [1: 0], except: nil, among: memory.spines).isEmpty)
  }

  @Test func looksThatDifferAreTwoCopies() {
    let memory = memory([sighting("Poems", x: 100, look: 0)])
    let near = photo([sighting("Poems", x: 100, look: 0xFFF)])
    let far = photo([sighting("Poems", x: 100, look: 0x1FFF)])
    #expect(TextMatching.owners(in: near, besides: [:], except: nil, among: memory.spines) == [0: 0])
    #expect(TextMatching.owners(in: far, besides: [:], except: nil, among: memory.spines).isEmpty)
  }

  @Test func anISBNNamesABookWhateverItsTitle() {
    var memory = SpineMemory()
    let spine = SpineFinding(
      title: "Dune", isbn: "9780441172719", confidence: 1, box: Box(x: 0, y: 0, width: 1, height: 1), angle: 0
    )
    _ = memory.add(SpineSighting(spine: spine), SpineText(title: "Dune", author: nil), at: nil, in: 1)
    func owner(_ title: String, _ isbn: String?, except taken: Set<Int> = []) -> Int? {
      TextMatching.owner(
        of: NamedBook(title: title, author: nil, isbn: isbn, confidence: 1), except: taken,
        among: memory.spines)
    }
    #expect(owner("Der Wüstenplanet", "9780441172719") == 0)
    #expect(owner("Dune", "9780441478125") == nil && owner("Dune", nil) == 0)
    #expect(owner("Dune", nil, except: [0]) == nil)
  }

  // MARK: Names

  @Test func findingsOfAPhotoHaveTheSameIdsWheneverItIsRead() {
    let (scan, shelf) = (
      UUID(), [sighting("Emma", x: 100), sighting("Emma", x: 140), sighting("Emma", x: 140)]
    )
    let first = FindingNames.named(shelf, in: scan).map(\.id)
    #expect(Set(first).count == 3)
    #expect(FindingNames.named(shelf, in: scan).map(\.id) == first)
    // If the readings come in a different order, each finding keeps its id.
    #expect(FindingNames.named([shelf[1], shelf[0]], in: scan).map(\.id) == [first[1], first[0]])
    #expect(Set(FindingNames.named(shelf, in: UUID()).map(\.id)).isDisjoint(with: first))
  }
}
