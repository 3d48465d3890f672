import BookScan
import Harness

/// The row of one spine in a page's list: its number, its crop, its text and its certainty.
struct SpineRow {
  var number: Int
  /// An `img` element, or an empty text.
  var crop: String
  /// The title; empty if only the barcode was read.
  var title: String
  var author: String?
  var isbn: String?
  var certainty: Certainty
  /// The confidence, 0…1; nil if unknown.
  var confidence: Double?

  init(_ spine: SpineFinding, number: Int, crop: String) {
    self.number = number
    self.crop = crop
    title = spine.title
    author = spine.author
    isbn = spine.isbn
    certainty = spine.certainty
    confidence = spine.confidence
  }

  /// Returns the list item. All read text is escaped.
  /// - Parameters:
  ///   - id: the item's id, unique on the page.
  ///   - target: the id that the number links to.
  ///   - label: the accessible description of that link.
  func html(id: String, to target: String, label: String) -> String {
    let name = title.isEmpty ? "(title not read)" : title
    let by = author.map { "<span>\(HTMLText.escape($0))</span>" } ?? ""
    let code = isbn.map { "<small>ISBN \(HTMLText.escape($0))</small>" } ?? ""
    let percent = confidence.map { " <span>\(Self.percent($0)) %</span>" } ?? ""
    return """
      <li id="\(id)" class="r\(number) \(certainty.rawValue)"><a href="#\(target)" aria-label="\(number): \(label)">\(number)</a>\
      <div class="crop">\(crop)</div><div class="read"><b>\(HTMLText.escape(name))</b>\(by)\(code)</div>\
      <p class="certainty">\(certainty.label)\(percent)</p></li>
      """
  }

  /// Returns a rounded percentage. It is 100 only for a share of 1.
  static func percent(_ share: Double) -> Int {
    guard share.isFinite else { return 0 }
    let bounded = min(max(share, 0), 1)
    return bounded == 1 ? 100 : min(99, Int((bounded * 100).rounded()))
  }
}
