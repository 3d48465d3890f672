import Foundation
import Harness
import Library

/// The books to review as one HTML file that needs no network: each picture with a line to edit, and a button that saves the answers as a file
/// for `library review --answers`.
struct ReviewPage {
  /// The greatest total size of the rows, bytes.
  private static let limit = 32_000_000

  private(set) var count = 0
  /// The number of books that did not fit.
  var left = 0
  private var rows: [String] = []
  private var bytes = 0
  /// The option that names the library, quoted for a shell, with a space before it; empty for the default library.
  private let library: String
  /// The identity of the library, which the saved answers name.
  private let identity: String
  private let certainty: BookFinding.Certainty
  /// The number of unlikely books that are left for a page of their own.
  let unlikely: Int

  /// Creates an empty page.
  /// - Parameters:
  ///   - library: the option that names the library, quoted for a shell, with a space before it; empty for the default library.
  ///   - identity: the identity of the library.
  ///   - certainty: the certainty of the books.
  ///   - unlikely: the number of unlikely books that are left for a page of their own.
  init(
    _ library: String, identity: String = "", of certainty: BookFinding.Certainty = .doubtful,
    unlikely: Int = 0
  ) {
    self.library = library
    self.identity = identity
    self.certainty = certainty
    self.unlikely = unlikely
  }

  var hasRoom: Bool { bytes < Self.limit }

  /// The command that carries out the saved answers; `FILE` stands for their file.
  var command: String { "swiftwing library review --answers FILE\(library)" }

  mutating func add(_ details: BookDetails, picture: [UInt8]?) {
    let (shown, book) = (ShownBook(details), details.book)
    let crop =
      picture.map {
        #"<img alt="the spine of book \#(book.id)" src="data:image/jpeg;base64,\#(Data($0).base64EncodedString())">"#
      } ?? "<small>no picture</small>"
    let name = book.author.isEmpty ? book.title : "\(book.title) / \(book.author)"
    let row = """
      <li id="book-\(book.id)" data-id="\(book.id)"><input type="checkbox" autocomplete="off" aria-label="book \(book.id) is answered">\
      <div class="crop">\(crop)</div>
      <textarea rows="1" autocomplete="off" spellcheck="false" aria-label="title / author of book \(book.id)">\
      \(HTMLText.escape(name))</textarea><button type="button" aria-label="book \(book.id) is no book">no book</button>
      <div class="more">\(more(shown, book, name))</div></li>
      """
    rows.append(row)
    bytes += row.utf8.count
    count += 1
  }

  /// Returns the certainty, the places and the readings of a book.
  private func more(_ shown: ShownBook, _ book: Book, _ name: String) -> String {
    let isbn = book.isbn.map { ", ISBN \($0)" } ?? ""
    let head = "<p>book \(book.id): \(HTMLText.escape(shown.standing + isbn))</p>"
    let places = shown.places.prefix(5).map { place in
      let file = place.path.map { " title=\"\(HTMLText.escape($0))\"" } ?? ""
      return "<p\(file)>in \(HTMLText.escape(place.text))</p>"
    }
    let readings = shown.readings.filter { ShownBook.text($0.reading) != name || $0.times > 1 }.map {
      "<p>read \($0.times)×: \(HTMLText.escape(ShownBook.text($0.reading)))</p>"
    }
    return ([head] + places + readings).joined()
  }

  var html: String {
    PhotoPage.html(
      "Books to look at", of: "library", styles: ScanPageStyle.css + Self.style,
      header: """
        <p>\(count) here\(left > 0 ? ", \(left) more later" : "")</p>\(unlikelyLine)
        <p>Enter says that a line is right, or right now that you have corrected it, and goes to the next; Shift and Enter go back. \
        Empty the line of what is no book. Write | between two books that were read as one.</p>
        <noscript><p>This browser runs no scripts. Write a file instead with a line for each book, its number and the answer, such as \
        12 Title / Author, 13 y or 14 d: <code>\(HTMLText.escape(command))</code></p></noscript>
        """,
      main: "<ol>\n\(rows.joined(separator: "\n"))\n</ol>\(bar)",
      script: (ReviewPageScript.text, ReviewPageScript.digest), data: ["library": identity])
  }

  /// The number of answers, and the buttons.
  private var bar: String {
    let isUnlikely = certainty == .unlikely
    let path = HTMLText.escape("swiftwing library review\(library) --answers ~/Downloads/")
    return """
      <section id="answers" aria-label="answers" hidden><p id="count" role="status"></p>
      <button type="button" id="others"\(isUnlikely ? " data-are-none=\"1\"" : "")>\
      \(isUnlikely ? "No other is a book" : "All others are right")</button>
      <button type="button" id="save">Save the answers</button>
      <p id="then" hidden>Saved. Now run, with the folder of your downloads: <code>\(path)<span id="file"></span></code></p></section>
      """
  }

  private var unlikelyLine: String {
    guard unlikely > 0 else { return "" }
    let command = HTMLText.escape("swiftwing library review --unlikely --page unlikely.html\(library)")
    return "<p>\(unlikely) probably no \(unlikely == 1 ? "book" : "books"): <code>\(command)</code></p>"
  }

  private static let style = """
    code{font-size:inherit;white-space:pre-wrap;user-select:all}header p{max-width:100ch}
    li{grid-template-columns:24px minmax(0,1fr) auto;align-items:start;gap:4px 12px}li>input[type=checkbox]{grid-row:1;width:24px;height:24px}
    .crop{grid-column:2/-1;grid-row:1}.crop img{max-height:160px}
    textarea{grid-column:2;grid-row:2;font-size:14px;line-height:1.5;border-color:var(--dim);padding:3px 6px;width:100%;
    min-height:30px;resize:none;field-sizing:content}li>button{grid-column:3;grid-row:2}
    button{border-color:var(--dim);padding:3px 10px;min-height:30px}button:disabled{border-color:var(--rule)}.more{grid-column:2/-1;grid-row:3}.more p{font-size:12px;margin:0}
    li.answered textarea{border-color:var(--rule)}li:focus-within{background:var(--wash)}
    #answers{position:sticky;bottom:0;background:var(--ground);border-top:1px solid var(--ink);padding:10px 0;display:flex;flex-wrap:wrap;
    gap:8px 14px;align-items:center}#answers[hidden],#then[hidden]{display:none}#answers p{margin:0;color:var(--ink)}#then{flex-basis:100%}
    @media(max-width:760px){li{grid-template-columns:24px minmax(0,1fr)}li>button{grid-column:2;grid-row:3;justify-self:start}.more{grid-row:4}}
    @media print{ol{columns:1}.crop img{max-height:20mm}button,#answers{display:none}}

    """
}
