import Corpora

/// A book at its place in a scene.
struct PlacedBook {
  var book: PrintedBook
  /// The spine, in scene units.
  var box: DrawnBox
  /// Whether the book lies on its side, in a pile.
  var isLying: Bool

  /// The clockwise rotation of the text in the scene, in degrees.
  var textAngle: Int {
    if isLying { return 0 }
    return switch book.direction {
    case .topDown: 90
    case .bottomUp: 270
    case .stacked, .across: 0
    }
  }

  func truth(file: String?, box: TruthBox) -> CorpusTruth.Spine {
    CorpusTruth.Spine(
      title: book.work.title, author: book.work.author, textAngle: textAngle,
      isStacked: book.direction == .stacked && !isLying, box: box, file: file)
  }
}

/// A board with books on it.
struct DrawnShelf {
  /// The left end of the row, in scene units.
  let left: Double
  /// The right end of the row, in scene units.
  let right: Double
  /// The upper edge of the board, in scene units.
  let board: Double
  /// The height of the tallest books.
  let row: Double
  private(set) var books: [PlacedBook] = []

  /// Fills the board from the left with standing books, and with a flat pile after every `pileEvery` of them.
  init(left: Double, right: Double, board: Double, row: Double, pileEvery: Int, librarian: inout Librarian) {
    self.left = left
    self.right = right
    self.board = board
    self.row = row
    var (x, standing) = (left, 0)
    while true {
      if standing == pileEvery, x + row * 0.95 <= right {
        x = addPile(x, &librarian)
        standing = 0
        continue
      }
      let book = librarian.nextBook(row: row)
      guard x + book.thickness <= right else { return }
      books.append(
        PlacedBook(
          book: book, box: DrawnBox(x: x, y: board - book.height, width: book.thickness, height: book.height),
          isLying: false))
      x += book.thickness + row * 0.004
      standing += 1
    }
  }

  /// Adds a pile of four to five books on their sides. Returns the position of the next book.
  private mutating func addPile(_ x: Double, _ librarian: inout Librarian) -> Double {
    var top = board
    var widest = 0.0
    for _ in 0..<5 {
      var book = librarian.nextBook(row: row)
      book.direction = .topDown
      book.thickness = min(book.thickness, row * 0.12)
      book.height = min(book.height, row * 0.9)
      top -= book.thickness
      widest = max(widest, book.height)
      books.append(
        PlacedBook(
          book: book, box: DrawnBox(x: x, y: top, width: book.height, height: book.thickness), isLying: true))
    }
    return x + widest + row * 0.02
  }
}
