import BookScan
import Foundation
import Harness

/// A page of photographs with outlined and numbered spines, and the text that was read: one HTML file that needs no network and
/// no script.
///
/// Highlighting and filtering are done by CSS (`:has`, `:target`).
struct ScanPage {
  private let budget: ScanPageBudget
  private var sections: [String] = []
  private var failures: [String] = []
  private var counts: [Certainty: Int] = [:]
  private var most = 0
  private var recognizers: [String] = []
  /// Markup above the photographs: the tasks on the shelf.
  var worklist = ""

  /// Creates an empty page.
  /// - Parameter photos: the greatest number of photographs that will be added, 1...``ScanPageBudget/photoLimit``.
  init(photos: Int) { budget = ScanPageBudget(photos: photos) }

  /// Adds a photograph. Decodes it again for its pictures.
  /// - Parameter bytes: the bytes of the file.
  mutating func add(_ photo: String, bytes: [UInt8], _ findings: PhotoFindings) {
    let section = ScanPageSection(photo, place: sections.count + 1, findings)
    sections.append(section.html(ScanPictures(bytes, of: section, within: budget)))
    for spine in findings.spines + findings.unlikely { counts[spine.certainty, default: 0] += 1 }
    most = max(most, section.outlines.count)
    // A recogniser that used a second recogniser for a photograph names both, separated by a comma.
    for part in findings.recognizer.components(separatedBy: ", ") where !recognizers.contains(part) {
      recognizers.append(part)
    }
  }

  /// Adds a photograph that could not be read.
  /// - Parameter reason: a sentence that names the photograph.
  mutating func fail(_ reason: String) { failures.append(reason) }

  var html: String {
    let books = counts[.sure, default: 0] + counts[.doubtful, default: 0]
    let title = FindingsText.books(books)
    return PhotoPage.html(
      title, of: "scan", styles: ScanPageStyle.css + WorklistPage.css + ScanPageStyle.pairs(most),
      header: """
        <p>\(HTMLText.escape(summary))</p>
        <p>\(HTMLText.escape("read by " + recognizers.joined(separator: ", ")))</p>
        <p>sure: title and author are meant to be both right in 90 of 100 at the accurate level, in 85 at the fast one</p>
        \(failures.map { "<p class=\"failure\">\(HTMLText.escape($0))</p>" }.joined())
        \(filter)
        """,
      main: "\(worklist)\n\(sections.joined(separator: "\n"))")
  }

  private var summary: String {
    [
      sections.count == 1 ? "1 photo" : "\(sections.count) photos",
      "\(counts[.doubtful, default: 0]) to look at",
      "\(counts[.unlikely, default: 0]) probably not a book",
    ].joined(separator: " · ")
  }

  /// The filter, which is also the key to the kinds of lines.
  private var filter: String {
    let choices = Certainty.allCases.map { certainty in
      choice(certainty.rawValue, certainty.label, count: counts[certainty, default: 0])
    }
    return """
      <fieldset><legend>Show</legend>\
      \(choice("all", "all", count: counts.values.reduce(0, +), isChosen: true))\(choices.joined())</fieldset>
      """
  }

  private func choice(_ id: String, _ words: String, count: Int, isChosen: Bool = false) -> String {
    """
    <label class="\(id)"><input type="radio" name="show" id="show-\(id)"\(isChosen ? " checked" : "")>\
    <i></i>\(words) <span>\(count)</span></label>
    """
  }
}
