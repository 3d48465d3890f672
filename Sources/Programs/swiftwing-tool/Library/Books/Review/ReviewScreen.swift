import Console
import Library

/// Several books of a review that fit into a window, with their numbers.
struct ReviewScreen {
  struct Entry {
    var details: BookDetails
    /// The picture of the spine; nil if there is none.
    var jpeg: [UInt8]?
    /// The picture as the terminal draws it, and the number of its rows; nil if it is not drawn.
    var row: SpineStrip?
    /// The place of the book in the review.
    var place: Int
    fileprivate var lines: [String]
  }

  /// A part of a screen.
  enum Part: Equatable {
    case line(String)
    case picture([UInt8])

    func write() {
      switch self {
      case .line(let text): Terminal.say(text)
      case .picture(let bytes): Terminal.write(bytes, to: 1)
      }
    }
  }

  /// The greatest number of books, so that one digit names each.
  private static let most = 9
  /// The rows that are left for the heading, the question, the prompt and the result of the screen before.
  private static let otherRows = 5

  /// The width of a line, in characters.
  let columns: Int
  private let rows: Int
  private var used = 0
  private(set) var entries: [Entry] = []
  private var shelf: String?
  /// Where the pictures are that the terminal does not draw.
  var note: String?

  /// - Parameter window: the window; nil if it has no size, which then counts as 80 columns and 24 rows.
  init(_ window: TerminalWindow?) { self.init(columns: window?.columns ?? 80, rows: window?.rows ?? 24) }

  init(columns: Int, rows: Int) {
    self.columns = max(20, columns)
    self.rows = max(1, rows - Self.otherRows)
  }

  /// The number of rows for each picture: two in a window of 24 rows, at most six.
  var pictureRows: Int { min(6, max(2, (rows + Self.otherRows) / 8 - 1)) }

  /// Adds a book.
  /// - Returns: false if it does not fit. The first book always fits.
  mutating func add(_ details: BookDetails, _ jpeg: [UInt8]?, _ row: SpineStrip?, at place: Int) -> Bool {
    guard entries.count < Self.most else { return false }
    let shown = ShownBook(details)
    let name = PlainText.fitted(shown.name, columns: 3 * (columns - 8))
    var lines = PlainText.broken("\(entries.count + 1)  \(name)", columns: columns)
    let here = shown.places.first?.shelfText
    if let here, here != shelf { lines.insert(PlainText.fitted("in \(here)", columns: columns), at: 0) }
    let height = lines.count + (row?.rows ?? 0)
    guard entries.isEmpty || used + height <= rows else { return false }
    used += height
    shelf = here ?? shelf
    entries.append(Entry(details: details, jpeg: jpeg, row: row, place: place, lines: lines))
    return true
  }

  /// Returns the lines and pictures, in their order.
  /// - Parameter count: the number of books in the review.
  func parts(of count: Int) -> [Part] {
    let places = entries.map { $0.place + 1 }
    let range = places.count > 1 ? "\(places[0]) to \(places[places.count - 1])" : "\(places.first ?? 0)"
    return [.line("\(range) of \(count)\(note.map { "  \($0)" } ?? "")")]
      + entries.flatMap { entry in
        entry.lines.map(Part.line) + (entry.row.map { [.picture($0.bytes)] } ?? [])
      }
  }

  /// Returns what Enter means, and how a book is named.
  func question(isUnlikely: Bool) -> String {
    let rest =
      switch (isUnlikely, entries.count) {
      case (false, 1): "Enter: it is right."
      case (false, _): "Enter: all are right."
      case (true, 1): "Enter: it is no book."
      case (true, _): "Enter: none is a book."
      }
    let number = entries.count
    return isUnlikely
      ? "\(rest) Name the others: \(number) to edit, \(number)y right as it is; s, u, q, ?"
      : "\(rest) Name the others: \(number) to edit, \(number)d no book, \(number)x, \(number)-; s, u, q, ?"
  }
}
