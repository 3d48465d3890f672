import BookScan
import Harness
import Imagery

/// The section of one photograph on a page: the picture with its outlines, and the list of its spines.
struct ScanPageSection {
  private let name: String
  private let place: Int
  /// All findings, in the order of their numbers.
  private let spines: [SpineFinding]
  private let size: PixelSize
  private let findings: PhotoFindings

  /// Creates a section.
  /// - Parameter place: the number of the photograph on the page, from 1.
  init(_ name: String, place: Int, _ findings: PhotoFindings) {
    self.name = name
    self.place = place
    self.findings = findings
    spines = ShelfOrder.sorted(findings.spines + findings.unlikely)
    size = findings.size
  }

  /// Returns the section's markup.
  /// - Parameter pictures: the pictures, with the crops in the order of `outlines`.
  func html(_ pictures: ScanPictures) -> String {
    let ratio = (Double(size.width) / Double(max(1, size.height)) * 1000).rounded() / 1000
    let figure = pictures.photo.map { "<figure style=\"--ratio:\(ratio)\">\($0)\(drawing)</figure>" }
    return """
      <article id="p\(place)"><h2>\(heading)</h2><p>\(HTMLText.escape(figures))</p>
      <div class="photo">\(figure ?? pictures.reason)
      \(spines.isEmpty ? "<p>No spine was read.</p>" : "<ol>\(rows(pictures.crops))</ol>")</div></article>
      """
  }

  /// The name of the file, which may be broken between the words of its path.
  private var heading: String {
    HTMLText.escape(name).replacing("/", with: "/<wbr>").replacing("_", with: "_<wbr>")
  }

  /// The outlines, in the order of their numbers.
  var outlines: [[Point]] { spines.map(\.outline) }

  /// The alternative text of the photograph's picture.
  var alt: String { "\(name), upright, with \(spines.count) numbered outlines" }

  private var figures: String {
    let parts = Certainty.allCases.compactMap { certainty -> String? in
      let count = spines.count { $0.certainty == certainty }
      return count > 0 ? "\(count) \(certainty.label)" : nil
    }
    return ([FindingsText.books(findings.spines.count)] + parts).joined(separator: " · ")
  }

  /// Draws unlikely spines first, so that books are drawn above them.
  private var drawing: String {
    let drawing = PhotoDrawing(size, letter: ScanPageLabels.letter(size))
    let labels = ScanPageLabels(spines.indices.map { (mark($0), spines[$0].outline) }, on: size)
    let order = spines.indices.sorted { rank($0) > rank($1) }
    return drawing.svg(
      order.map { outline($0, drawing) } + order.map { label($0, drawing, place: labels.places[$0]) })
  }

  private func mark(_ index: Int) -> String {
    spines[index].certainty == .doubtful ? "\(index + 1)?" : "\(index + 1)"
  }

  private func outline(_ index: Int, _ drawing: PhotoDrawing) -> String {
    """
    <a id="\(id("o", index + 1))" href="#\(id("s", index + 1))" tabindex="-1" class="\(kind(index))">\
    \(drawing.polygon(spines[index].outline, kind: "edge"))</a>
    """
  }

  /// Returns the number of an outline. Numbers are drawn above all outlines.
  private func label(_ index: Int, _ drawing: PhotoDrawing, place: Point) -> String {
    "<g class=\"\(kind(index))\">\(drawing.text(mark(index), at: place, anchor: "middle"))</g>"
  }

  private func kind(_ index: Int) -> String { "o\(index + 1) \(spines[index].certainty.rawValue)" }

  /// Returns the rows of the list, the spines to check first.
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
