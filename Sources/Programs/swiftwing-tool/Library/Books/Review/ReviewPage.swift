import BookScan
import Foundation
import Harness
import Library
import System

/// The books to review as one HTML file that needs no network and no script: picture, readings, and the commands to answer with.
struct ReviewPage {
  /// The greatest total size of the sections, bytes.
  private static let limit = 32_000_000

  private(set) var count = 0
  /// The number of books that did not fit.
  var left = 0
  private var sections: [String] = []
  private var bytes = 0
  /// The option that names the library, quoted for a shell, with a space before it; empty for the default library.
  private let library: String
  /// The number of unlikely books that are left for a page of their own.
  let unlikely: Int

  /// Creates an empty page.
  /// - Parameters:
  ///   - library: the option that names the library, quoted for a shell, with a space before it; empty for the default library.
  ///   - unlikely: the number of unlikely books that are left for a page of their own.
  init(_ library: String, unlikely: Int = 0) { (self.library, self.unlikely) = (library, unlikely) }

  var hasRoom: Bool { bytes < Self.limit }

  mutating func add(_ details: BookDetails, picture: [UInt8]?) {
    let (shown, book) = (ShownBook(details), details.book)
    let crop =
      picture.map {
        #"<img alt="the spine of book \#(book.id)" src="data:image/jpeg;base64,\#(Data($0).base64EncodedString())">"#
      } ?? "<small>no picture</small>"
    let row = SpineRow(
      number: Int(book.id), crop: crop, title: book.title, author: book.author.isEmpty ? nil : book.author,
      isbn: book.isbn, certainty: Certainty(book.certainty), confidence: book.spineConfidence,
      more: more(shown, book))
    let section = row.html(id: "book-\(book.id)", to: "book-\(book.id)", label: "a link to it")
    sections.append(section)
    bytes += section.utf8.count
    count += 1
  }

  /// Returns the places and the readings of a book, and the commands.
  private func more(_ shown: ShownBook, _ book: Book) -> String {
    let places = shown.places.prefix(5).map { place in
      let file = place.path.map { " title=\"\(HTMLText.escape($0))\"" } ?? ""
      return "<p\(file)>in \(HTMLText.escape(place.text))</p>"
    }
    let name = BookName.text(book.title, book.author)
    let readings = shown.readings.filter { ShownBook.text($0.reading) != name || $0.times > 1 }.map {
      "<p>read \($0.times)×: \(HTMLText.escape(ShownBook.text($0.reading)))</p>"
    }
    let commands = answers(to: book).map { words, command in
      "<dt>\(words)</dt><dd><code>\(HTMLText.escape(command))</code></dd>"
    }
    return """
      <div class="more">\((places + readings).joined())<details><summary>commands</summary><dl>\(commands.joined())</dl></details></div>
      """
  }

  /// Returns the commands with which a person can answer, complete for copying. The commands contain the read text, which the person
  /// corrects after copying.
  private func answers(to book: Book) -> [(words: String, command: String)] {
    let title = ShellCommand.option("--title", book.title)
    let author = ShellCommand.option("--author", book.author)
    let halves = "\(book.title) \(book.author)".split(separator: " ")
    let half = halves.count / 2
    let names = [halves[..<half], halves[half...]].map { ShellCommand.quoted($0.joined(separator: " ")) }
    var answers = [
      ("it is right", "edit \(book.id) --confirm\(library)"),
      ("it is this; correct it before you run it", "edit \(book.id) \(title) \(author)\(library)"),
      ("it is no book", "delete \(book.id)\(library)"),
    ]
    if half > 0 {
      let names = names.joined(separator: " ")
      answers.append(
        ("it is two books; correct them before you run it", "split\(library) -- \(book.id) \(names)"))
    }
    answers.append(
      (
        "behind it stands one that was not read; name it before you run it",
        "add --after \(book.id)\(library) -- 'TITLE / AUTHOR'"
      ))
    return answers.map { ($0.0, "swiftwing library \($0.1)") }
  }

  var html: String {
    PhotoPage.html(
      "Books to look at", of: "library", styles: ScanPageStyle.css + Self.style,
      header: "<p>\(count) here\(left > 0 ? ", \(left) more later" : "")</p>\(unlikelyLine)",
      main: "<ol>\n\(sections.joined(separator: "\n"))\n</ol>")
  }

  private var unlikelyLine: String {
    guard unlikely > 0 else { return "" }
    let command = HTMLText.escape("swiftwing library review --unlikely --page unlikely.html\(library)")
    return "<p>\(unlikely) probably no \(unlikely == 1 ? "book" : "books"): <code>\(command)</code></p>"
  }

  /// The pictures of spines are larger than on a page of photographs, and are also printed, because they are reviewed here.
  private static let style = """
    .more{grid-column:2/-1;grid-row:3}.more p{font-size:12px}summary{cursor:pointer;font-size:12px;padding:4px 0}
    dl{margin:0;font-size:12px}dt{color:var(--dim)}dd{margin:0 0 8px}code{font:inherit;white-space:pre-wrap;user-select:all}
    li{grid-template-columns:7ch minmax(0,1fr) auto}.crop img{max-height:160px}li>a{grid-row:span 3}li.doubtful .crop,li.unlikely .crop{display:block}
    @media(max-width:760px){li{grid-template-columns:7ch minmax(0,1fr)}.more{grid-row:4}li>a{grid-row:span 4}}
    @media print{ol{columns:1}.more{grid-row:4}.crop img{max-height:20mm}}

    """
}

extension Certainty {
  /// Converts a certainty. A book that was not judged counts as sure.
  init(_ certainty: BookFinding.Certainty?) {
    switch certainty {
    case .sure, nil: self = .sure
    case .doubtful: self = .doubtful
    case .unlikely: self = .unlikely
    }
  }
}
