import BookScan
import Glibc
import Harness
import Imagery

/// A photograph of a page with its outlines, and the list of its spines beside it.
struct ScanPageSection {
  private let name: String
  private let place: Int
  /// All that was found, in the order of their numbers.
  private let spines: [SpineFinding]
  private let size: PixelSize
  private let findings: PhotoFindings

  /// - Parameter place: of the photograph in the page, from 1.
  init(_ name: String, place: Int, _ findings: PhotoFindings) {
    self.name = name
    self.place = place
    self.findings = findings
    spines = ShelfOrder.sorted(findings.spines + findings.unlikely)
    size = findings.size
  }

  /// - Parameter pictures: with the crops in the order in which `outlines` has them.
  func html(_ pictures: ScanPictures) -> String {
    let ratio = (Double(size.width) / Double(max(1, size.height)) * 1000).rounded() / 1000
    let figure = pictures.photo.map { "<figure style=\"--ratio:\(ratio)\">\($0)\(drawing)</figure>" }
    return """
      <article id="p\(place)"><h2>\(HTMLText.escape(name))</h2><p>\(HTMLText.escape(figures))</p>
      <div class="photo">\(figure ?? pictures.reason)
      \(spines.isEmpty ? "<p>No spine was read.</p>" : "<ol>\(rows(pictures.crops))</ol>")</div></article>
      """
  }

  /// In the order of their numbers.
  var outlines: [[Point]] { spines.map(\.outline) }

  /// What the photograph's picture says to who does not see it.
  var alt: String { "\(name), upright, with \(spines.count) numbered outlines" }

  private var figures: String {
    let parts = Certainty.allCases.compactMap { certainty -> String? in
      let count = spines.count { $0.certainty == certainty }
      return count > 0 ? "\(count) \(certainty.label)" : nil
    }
    return ([FindingsText.books(findings.spines.count)] + parts).joined(separator: " · ")
  }

  /// Unlikely ones first, so that a book lies above them.
  private var drawing: String {
    let drawing = PhotoDrawing(size, room: 0.8 * width)
    let order = spines.indices.sorted { rank($0) > rank($1) }
    return drawing.svg(order.map { outline($0, drawing) })
  }

  /// Of the middle one of the spines, across it, pixels.
  private var width: Double {
    let widths = outlines.filter { $0.count == 4 }.map { corners in
      min(
        hypot(corners[1].x - corners[0].x, corners[1].y - corners[0].y),
        hypot(corners[2].x - corners[1].x, corners[2].y - corners[1].y))
    }
    return widths.isEmpty ? .infinity : widths.sorted()[widths.count / 2]
  }

  private func outline(_ index: Int, _ drawing: PhotoDrawing) -> String {
    let spine = spines[index]
    let number = index + 1
    let mark = spine.certainty == .doubtful ? "\(number)?" : "\(number)"
    return """
      <a id="\(id("o", number))" href="#\(id("s", number))" tabindex="-1" class="o\(number) \(spine.certainty.rawValue)">\
      \(drawing.polygon(spine.outline, kind: "edge"))\
      \(drawing.text(mark, at: label(spine, drawing.letter), anchor: "middle"))</a>
      """
  }

  /// In the middle of the upper edge, in the photo.
  private func label(_ spine: SpineFinding, _ letter: Int) -> Point {
    let top = spine.outline.sorted { $0.y < $1.y }.prefix(2)
    let x = top.reduce(0) { $0 + $1.x } / Double(max(1, top.count))
    let y = (top.first?.y ?? 0) + Double(letter)
    return Point(x: min(max(x, Double(letter)), Double(size.width - letter)), y: max(y, Double(letter)))
  }

  /// What a person should look at first.
  private func rows(_ crops: [String]) -> String {
    spines.indices.sorted { rank($0) < rank($1) }.map { index in
      let row = SpineRow(spines[index], number: index + 1, crop: index < crops.count ? crops[index] : "")
      return row.html(id: id("s", index + 1), to: id("o", index + 1), label: "show it in the photo")
    }.joined(separator: "\n")
  }

  private func rank(_ index: Int) -> (Int, Int) {
    switch spines[index].certainty {
    case .doubtful: (0, index)
    case .sure: (1, index)
    case .unlikely: (2, index)
    }
  }

  private func id(_ kind: String, _ number: Int) -> String { "p\(place)-\(kind)\(number)" }
}
