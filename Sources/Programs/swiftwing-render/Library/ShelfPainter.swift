import System

/// Draws shelves: wall, boards, spines and their lettering.
struct ShelfPainter {
  let canvas: Canvas

  func paint(_ shelves: [DrawnShelf], in scene: DrawnBox, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    canvas.fill(
      scene, stops: [(0, Color(0x4A3B2E)), (0.5, Color(0x5A4938)), (1, Color(0x382B21))], isHorizontal: false)
    for shelf in shelves {
      shadow(under: shelf, scene)
      board(DrawnBox(x: scene.x, y: shelf.board, width: scene.width, height: shelf.row * 0.09), &random)
      for placed in shelf.books { paint(placed, &random) }
    }
  }

  private func shadow(under shelf: DrawnShelf, _ scene: DrawnBox) {
    let dark = Color(0x000000)
    canvas.fill(
      DrawnBox(x: scene.x, y: shelf.board - shelf.row * 1.25, width: scene.width, height: shelf.row * 0.4),
      stops: [(0, dark.with(alpha: 0.45)), (1, dark.with(alpha: 0))], isHorizontal: false)
  }

  private func board(_ box: DrawnBox, _ random: inout SplitMix64) {
    canvas.fill(
      box, stops: [(0, Color(0xA9794A)), (0.15, Color(0x8F6238)), (1, Color(0x5E3D20))], isHorizontal: false)
    canvas.clipped(to: box) {
      for _ in 0..<Int(box.height * 0.8) {
        let y = box.y + random.unit() * box.height
        canvas.stroke(
          from: (box.x, y), to: (box.x + box.width, y + random.number(in: -3...3)),
          bow: random.number(in: -6...6), width: random.number(in: 0.4...1.6),
          Color(random.index(below: 2) == 0 ? 0x3A2412 : 0xC79A66, alpha: 0.22))
      }
    }
  }

  func paint(_ placed: PlacedBook, _ random: inout SplitMix64) {
    let (book, box) = (placed.book, placed.box)
    canvas.fill(box, book.cloth)
    canvas.fill(box, stops: Self.roundness, isHorizontal: !placed.isLying)
    weave(box, &random)
    let center = (x: box.x + box.width / 2, y: box.y + box.height / 2)
    canvas.turned(x: center.x, y: center.y, quarterTurns: placed.isLying ? 0 : 1) {
      ornament(book)
    }
    canvas.clipped(to: box) {
      switch (book.direction, placed.isLying) {
      case (.stacked, false): canvas.turned(x: center.x, y: center.y) { stackedText(book) }
      case (.across, false): canvas.turned(x: center.x, y: center.y) { acrossText(book) }
      case (let direction, let isLying):
        let isBottomUp = direction == .bottomUp && !isLying
        canvas.turned(x: center.x, y: center.y, quarterTurns: isLying ? 0 : isBottomUp ? 3 : 1) {
          lengthwiseText(book, titleSide: isBottomUp ? 1 : -1)
        }
      }
    }
  }

  /// The shading of a round spine, whose edges turn away from the light.
  private static let roundness: [(Double, Color)] = [
    (0, Color(0x000000, alpha: 0.5)), (0.12, Color(0x000000, alpha: 0.12)),
    (0.35, Color(0xFFFFFF, alpha: 0.10)),
    (0.6, Color(0xFFFFFF, alpha: 0)), (0.88, Color(0x000000, alpha: 0.15)), (1, Color(0x000000, alpha: 0.55)),
  ]

  /// Draws threads and wear on the cloth.
  private func weave(_ box: DrawnBox, _ random: inout SplitMix64) {
    for _ in 0..<Int((box.width * box.height).squareRoot() / 3) {
      let mark = DrawnBox(
        x: box.x + random.unit() * box.width, y: box.y + random.unit() * box.height,
        width: random.number(in: 0.5...2), height: random.number(in: 2...14))
      let alpha = random.number(in: 0.03...0.09)
      canvas.clipped(to: box) {
        canvas.fill(mark, Color(random.index(below: 2) == 0 ? 0xFFFFFF : 0x000000, alpha: alpha))
      }
    }
  }

  /// Draws the ornament of a spine, bands or a dot. Coordinates are along the book: x from head to tail, y across.
  private func ornament(_ book: PrintedBook) {
    let (length, across) = (book.height, book.thickness)
    func band(_ position: Double, _ width: Double, alpha: Double = 0.85) {
      canvas.fill(
        DrawnBox(x: position * length / 2 - width / 2, y: -across / 2, width: width, height: across),
        book.ink.with(alpha: alpha))
    }
    let line = length * 0.004
    switch book.ornament {
    case 0: for position in [-0.93, -0.90, 0.90, 0.93] { band(position, line) }
    case 1:
      band(-0.92, line * 3)
      band(0.92, line * 3)
    case 2:
      canvas.fillCircle(
        x: length * 0.468, y: 0, radius: min(across * 0.14, length * 0.014), book.ink.with(alpha: 0.8))
    case 3: for position in [-0.95, 0.95] { band(position, line * 5, alpha: 0.6) }
    default: break
    }
  }

  /// Draws title and author along the spine. `titleSide` is −1 to put the title first in reading direction, and 1 to put the title last. In
  /// both cases the title is at the head of the spine.
  private func lengthwiseText(_ book: PrintedBook, titleSide: Double) {
    let length = book.height
    let title = fitted(
      book.work.title, book, width: length * 0.55, height: book.thickness * 0.78, size: book.thickness * 0.62)
    title.draw(x: titleSide * length * 0.16, y: 0, book.ink)
    let author = fitted(
      book.work.author, book, width: length * 0.26, height: book.thickness * 0.6, size: book.thickness * 0.36)
    author.draw(x: -titleSide * length * 0.285, y: 0, book.ink.with(alpha: 0.92))
  }

  private func stackedText(_ book: PrintedBook) {
    let letters = book.work.title.uppercased().map(String.init)
    let step = min(book.height * 0.62 / Double(letters.count), book.thickness * 0.95)
    var y = -book.height * 0.40 + step / 2
    for letter in letters {
      Lettering(letter, book.typeface, size: step * 0.8, on: canvas).draw(x: 0, y: y, book.ink)
      y += step
    }
    canvas.turned(x: 0, y: book.height * 0.345, quarterTurns: 1) {
      fitted(
        book.work.author, book, width: book.height * 0.19, height: book.thickness * 0.6,
        size: book.thickness * 0.3
      )
      .draw(x: 0, y: 0, book.ink)
    }
  }

  private func acrossText(_ book: PrintedBook) {
    let lines = book.work.title.split(separator: " ").joined(separator: "\n")
    fitted(lines, book, width: book.thickness * 0.86, height: book.height * 0.5, size: book.thickness * 0.3)
      .draw(x: 0, y: -book.height * 0.17, book.ink)
    let author = book.work.author.split(separator: " ").joined(separator: "\n")
    fitted(author, book, width: book.thickness * 0.8, height: book.height * 0.2, size: book.thickness * 0.19)
      .draw(x: 0, y: book.height * 0.28, book.ink)
  }

  /// The text in the given size, or smaller if necessary to fit.
  private func fitted(_ text: String, _ book: PrintedBook, width: Double, height: Double, size: Double)
    -> Lettering
  {
    let natural = Lettering(text, book.typeface, size: size, on: canvas)
    let scale = min(1, width / natural.width, height / natural.height)
    return scale < 1 ? Lettering(text, book.typeface, size: size * scale, on: canvas) : natural
  }
}
