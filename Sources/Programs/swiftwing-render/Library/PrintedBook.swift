import System

enum Direction: Hashable {
  /// Top to bottom if the book stands; left to right if it lies.
  case topDown
  case bottomUp
  /// Upright letters one below the other.
  case stacked
  /// Upright lines across a thick spine.
  case across
}

/// The appearance of a book on a shelf. Sizes are in scene units.
struct PrintedBook {
  let work: Work
  let typeface: Typeface
  let cloth: Color
  let ink: Color
  let ornament: Int
  var direction: Direction
  var thickness: Double
  var height: Double
}

/// A cloth colour, with an ink that is readable on it.
struct Binding {
  let cloth: Color
  let ink: Color

  init(_ cloth: UInt32, _ ink: UInt32) {
    self.cloth = Color(cloth)
    self.ink = Color(ink)
  }

  static let all = [
    Binding(0x5B1A1E, 0xE9D9A6), Binding(0x1E2F4F, 0xF0EAD8), Binding(0x27432F, 0xE6CF8B),
    Binding(0xD9CDB4, 0x2A1D14), Binding(0x2B2A2A, 0xD8B45A), Binding(0x7A4A22, 0xF4E7C4),
    Binding(0xE9E6DC, 0x7A1015), Binding(0x3D5A73, 0xFFFFFF), Binding(0x8F2D22, 0xFFF3DA),
    Binding(0x54603B, 0xF3EBCB), Binding(0xC2A15A, 0x2B1B0C), Binding(0x443355, 0xEBDFF0),
    Binding(0xB8C4BD, 0x16302C), Binding(0x0F4C4A, 0xF2E7C9), Binding(0xE3B23C, 0x1F1A12),
    Binding(0x6D6A65, 0xFAFAF5), Binding(0xF2EFE6, 0x14213D), Binding(0xA5522D, 0xFFF6E0),
  ]
}

/// Chooses the books of shelves, reproducibly.
struct Librarian {
  private var random: SplitMix64
  private var works: [Work]
  private var count = 0

  init(seed: UInt64, works: [Work] = Work.classics) {
    random = SplitMix64(seed: seed)
    self.works = random.shuffled(works)
  }

  /// - Parameter row: the height of the row's tallest books, in scene units.
  mutating func nextBook(row: Double) -> PrintedBook {
    let work = works[count % works.count]
    let binding = Binding.all[(count * 7 + random.index(below: 3)) % Binding.all.count]
    let typeface = Typeface.all[(count * 5 + random.index(below: 2)) % Typeface.all.count]
    count += 1
    let longest = work.title.split(separator: " ").map(\.count).max() ?? 0
    var direction = random.pick([Direction.topDown, .topDown, .topDown, .bottomUp, .bottomUp])
    if work.title.count <= 8 && random.index(below: 2) == 0 { direction = .stacked }
    if longest <= 8 && work.title.contains(" ") && random.index(below: 9) == 0 { direction = .across }
    let thickness =
      row * (direction == .across ? random.number(in: 0.19...0.24) : random.number(in: 0.076...0.118))
    return PrintedBook(
      work: work, typeface: typeface, cloth: binding.cloth, ink: binding.ink,
      ornament: random.index(below: 5),
      direction: direction, thickness: thickness, height: row * random.number(in: 0.8...1))
  }
}
