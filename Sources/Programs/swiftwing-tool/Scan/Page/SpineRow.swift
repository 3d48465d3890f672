import BookScan
import Harness

/// One spine in the list of a page: its number, its crop, what was read, and how sure that is. For the page of a scan and that of a review.
struct SpineRow {
  var number: Int
  /// An `img`, or nothing.
  var crop: String
  /// Empty where only the barcode was read.
  var title: String
  var author: String?
  var isbn: String?
  var certainty: Certainty
  /// 0…1; nil where it is not known.
  var confidence: Double?
  /// Markup below the rest.
  var more = ""

  init(_ spine: SpineFinding, number: Int, crop: String) {
    self.init(
      number: number, crop: crop, title: spine.title, author: spine.author, isbn: spine.isbn,
      certainty: spine.certainty, confidence: spine.confidence)
  }

  init(
    number: Int, crop: String, title: String, author: String?, isbn: String?, certainty: Certainty,
    confidence: Double?, more: String = ""
  ) {
    self.number = number
    self.crop = crop
    self.title = title
    self.author = author
    self.isbn = isbn
    self.certainty = certainty
    self.confidence = confidence
    self.more = more
  }

  /// A list item. Whatever was read is escaped.
  /// - Parameters:
  ///   - id: of the item; unique in the page.
  ///   - target: the id of what the number leads to.
  ///   - label: what the number does, for who does not see the page.
  func html(id: String, to target: String, label: String) -> String {
    let name = title.isEmpty ? "(title not read)" : title
    let by = author.map { "<span>\(HTMLText.escape($0))</span>" } ?? ""
    let code = isbn.map { "<small>ISBN \(HTMLText.escape($0))</small>" } ?? ""
    let percent = confidence.map { " <span>\(Self.percent($0)) %</span>" } ?? ""
    return """
      <li id="\(id)" class="r\(number) \(certainty.rawValue)"><a href="#\(target)" aria-label="\(number): \(label)">\(number)</a>\
      <div class="crop">\(crop)</div><div class="read"><b>\(HTMLText.escape(name))</b>\(by)\(code)</div>\
      <p class="certainty">\(certainty.label)\(percent)</p>\(more)</li>
      """
  }

  /// 100 only where it is: what is not quite sure does not look so.
  static func percent(_ share: Double) -> Int {
    guard share.isFinite else { return 0 }
    let bounded = min(max(share, 0), 1)
    return bounded == 1 ? 100 : min(99, Int((bounded * 100).rounded()))
  }
}
