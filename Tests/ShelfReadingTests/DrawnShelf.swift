import Bibliography
import ShelfReading

/// A seeded random number generator (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }
}

/// An invented library in the order of its shelf marks, and its shelves as a recogniser reads them.
struct DrawnShelf {
  /// A fault in the order of the shelf.
  enum Fault: Equatable, Sendable {
    case missing(Int)
    /// A book that is not in the list, identified by the index of its spine.
    case foreign(Int)
    /// Two neighbours that are swapped. Moving either of them repairs the order.
    case swapped(Int, Int)
    case moved(Int)
  }

  private enum Item {
    case holding(Int)
    case stranger(Holding)
  }

  static let rowLength = 40

  private(set) var holdings: [Holding] = []
  private(set) var spines: [ShelfSpine] = []
  private(set) var faults: [Fault] = []
  /// The index of each spine's holding; nil for a book that is not in the list.
  private(set) var truth: [Int?] = []
  private var numbers: SeededNumbers
  private let words: [String]
  private let names: [String]

  init(count: Int, faults: Int, seed: UInt64) {
    var drawn = SeededNumbers(seed)
    words = (0..<2500).map { _ in Self.word(&drawn, syllables: 1...3) } + ["the", "of", "and", "a", "in"]
    names = (0..<1500).map { _ in Self.word(&drawn, syllables: 2...3) }
    numbers = drawn
    holdings = makeHoldings(count)
    let items = disturb(faults)
    for (index, item) in items.enumerated() {
      let (book, number): (Holding, Int?) =
        switch item {
        case .holding(let number): (holdings[number], number)
        case .stranger(let book): (book, nil)
        }
      if number == nil { self.faults.append(.foreign(index)) }
      truth.append(number)
      spines.append(read(book, row: index / Self.rowLength))
    }
  }

  private static func word(_ numbers: inout SeededNumbers, syllables: ClosedRange<Int>) -> String {
    (0..<Int.random(in: syllables, using: &numbers)).map { _ in
      let (one, two, three) = (Array("bcdfghklmnprstvw"), Array("aeiou"), ["", "", "n", "r", "st", "l", "m"])
      return
        "\(one.randomElement(using: &numbers) ?? "b")\(two.randomElement(using: &numbers) ?? "a")\(three.randomElement(using: &numbers) ?? "")"
    }.joined()
  }

  /// Returns a random entry of `pool`. Some entries come often, like the frequent words of a language (Zipf).
  private mutating func draw(_ pool: [String]) -> String {
    let share = Double.random(in: 0..<1, using: &numbers)
    let spread = Int(share * share * Double(pool.count))
    return pool[pool.count - 1 - min(spread, pool.count - 1)]
  }

  private mutating func makeBook() -> Holding {
    let title = (0..<Int.random(in: 1...5, using: &numbers)).map { _ in draw(words) }.joined(separator: " ")
    let author = "\(names[Int.random(in: 0..<names.count, using: &numbers)]) \(draw(names))"
    return Holding(title: title, author: author)
  }

  /// Returns books in the order of their marks. One title in 50 is a series of two to five volumes.
  private mutating func makeHoldings(_ count: Int) -> [Holding] {
    var books: [Holding] = []
    while books.count < count {
      var book = makeBook()
      let number = Int.random(in: 100...999, using: &numbers)
      let fraction = numbers.chance(0.7) ? ".\(Int.random(in: 1...999, using: &numbers))" : ""
      let author = book.author.split(separator: " ").last.map { $0.prefix(3).uppercased() } ?? ""
      book.mark =
        "\(number)\(fraction) \(author)\(Int.random(in: 1...99, using: &numbers))\(book.title.prefix(1))"
      if numbers.chance(0.02) {
        for volume in 1...Int.random(in: 2...5, using: &numbers) {
          books.append(
            Holding(
              title: "\(book.title) \(volume)", author: book.author, mark: "\(book.mark ?? "") v.\(volume)"))
        }
      } else {
        books.append(book)
      }
    }
    let sorted = books.prefix(count).map { ($0, CallNumber($0.mark ?? "")?.key ?? "") }.sorted { $0.1 < $1.1 }
    return sorted.map(\.0)
  }

  /// Makes `count` faults that are at least six books apart, so that they do not affect each other.
  private mutating func disturb(_ count: Int) -> [Item] {
    var items = holdings.indices.map { Item.holding($0) }
    let step = holdings.count / max(1, count)
    precondition(step > 8 || count == 0)
    var strangers: [(at: Int, book: Holding)] = []
    var (gone, moved): (Set<Int>, [(from: Int, to: Int)]) = ([], [])
    for fault in 0..<count {
      let place = fault * step + Int.random(in: 0..<max(1, step - 6), using: &numbers) + 2
      guard place + 1 < holdings.count else { continue }
      switch fault % 4 {
      case 0:
        gone.insert(place)
        faults.append(.missing(place))
      case 1: strangers.append((place, makeBook()))
      case 2
      where CallNumber(holdings[place].mark ?? "")?.key != CallNumber(holdings[place + 1].mark ?? "")?.key:
        items.swapAt(place, place + 1)
        faults.append(.swapped(place, place + 1))
      case 2: continue
      default:
        let far = Self.rowLength + Int.random(in: 0..<20, using: &numbers)
        moved.append((place, place + far < holdings.count ? place + far : place - far))
        faults.append(.moved(place))
      }
    }
    return rebuilt(items, gone, moved, strangers)
  }

  private func rebuilt(
    _ items: [Item], _ gone: Set<Int>, _ moved: [(from: Int, to: Int)],
    _ strangers: [(at: Int, book: Holding)]
  ) -> [Item] {
    let leaving = gone.union(moved.map(\.from))
    let arriving = Dictionary(grouping: moved) { $0.to }.mapValues { $0.map { Item.holding($0.from) } }
    let strange = Dictionary(grouping: strangers) { $0.at }.mapValues { $0.map { Item.stranger($0.book) } }
    return items.indices.flatMap { index -> [Item] in
      let here: [Item] = leaving.contains(index) ? [] : [items[index]]
      return (arriving[index] ?? []) + here + (strange[index] ?? [])
    }
  }

  /// Returns a spine as a recogniser reads it: 3 of 100 letters are wrong, 1 of 20 words is lost, and 3 of 10 marks are too small.
  /// 1 of 100 spines is not read at all, and 1 of 50 is read badly.
  private mutating func read(_ book: Holding, row: Int) -> ShelfSpine {
    if numbers.chance(0.01) { return ShelfSpine(legibility: .unread, row: row) }
    let isPoor = numbers.chance(0.02)
    let rate = isPoor ? 0.25 : 0.03
    let author = numbers.chance(0.9) ? misread(book.author, rate) : ""
    let mark = numbers.chance(0.7) ? misread(book.mark ?? "", rate) : ""
    return ShelfSpine(
      title: misread(book.title, rate), author: author, rest: mark, legibility: isPoor ? .doubtful : .read,
      row: row)
  }

  private mutating func misread(_ text: String, _ rate: Double) -> String {
    let words = text.split(separator: " ")
    let kept = words.filter { _ in words.count == 1 || !numbers.chance(0.05) }
    return kept.map { word in
      String(
        word.flatMap { letter -> [Character] in
          guard numbers.chance(rate) else { return [letter] }
          let other = Array("abcdefghijklmnopqrstuvwxyz0123456789").randomElement(using: &numbers) ?? "x"
          return [[other], [], [letter, other]].randomElement(using: &numbers) ?? []
        })
    }.joined(separator: " ")
  }
}
