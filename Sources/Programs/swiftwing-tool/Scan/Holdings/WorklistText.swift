import Bibliography
import Console
import Harness
import Library
import ShelfReading
import Uploads

/// Prints a worklist on a terminal.
enum WorklistText {
  static func lines(_ list: ShelfWorklist, columns: Int?) -> [String] {
    let summary = summary(list).flatMap { PlainText.broken($0, columns: columns ?? 80) }
    return summary + list.tasks.flatMap { lines($0) }.map { PlainText.fitted($0, columns: columns, less: 0) }
  }

  static func summary(_ list: ShelfWorklist) -> [String] {
    let counts = list.counts
    let parts = [
      (counts.present, "in place"), (counts.missing, "missing"), (counts.misplaced, "misplaced"),
      (counts.extraCopies, "extra"), (counts.notInList, "not in the list"),
    ].map { "\($0.0) \($0.1)" }
    return [
      "\(list.holdings): \(FindingsText.books(counts.books)), \(order(list.order)): \(parts.joined(separator: ", "))",
      "  undecided: \(counts.notRead) whose spines may be unread ones, \(counts.outside) that belong outside of the photographs; "
        + "\(counts.unreadSpines) spines not read",
    ]
  }

  static func order(_ rule: ShelfRule) -> String {
    switch rule {
    case .dewey: "by Dewey"
    case .congress: "by Library of Congress"
    case .mark: "by their marks"
    case .author: "by author"
    case .list: "in the order of the list"
    }
  }

  /// Returns a line with the book, and lines with its place and the place where it belongs.
  private static func lines(_ task: ShelfTask) -> [String] {
    let name = BookName.text(task.title, task.author)
    let head =
      "\(task.task.rawValue.padded(to: 12))  \([task.mark, name].compactMap(\.self).joined(separator: "  "))"
    return [head] + places(task).map { "              \($0)" }
  }

  static func places(_ task: ShelfTask) -> [String] {
    let among = task.missing.map { "\($0[0]) of \($0[1]) like this" }
    let stands = task.spot.map { "stands at \(text($0))" }
    let belongs =
      task.behind.map { "behind \(text($0))" } ?? task.before.map { "before \(text($0))" }
    return [among, stands, belongs].compactMap(\.self)
  }

  private static func text(_ neighbour: ShelfTask.Neighbour) -> String {
    neighbour.text + (neighbour.spot.map { ", \(text($0))" } ?? "")
  }

  static func text(_ spot: ShelfPhotographs.Spot) -> String {
    let name = spot.photo.split(separator: "/").last.map(String.init) ?? spot.photo
    return "\(name), row \(spot.row)" + (spot.book.map { ", book \($0)" } ?? "")
  }
}

/// The worklist as a table for a spreadsheet: RFC 4180 in UTF-8 with a byte order mark. No cell can be run as a formula.
enum WorklistTable {
  static let columns = [
    "task", "mark", "title", "author", "isbn", "photo", "row", "book", "behind", "before",
  ]

  static func text(_ list: ShelfWorklist) -> String {
    "\u{FEFF}" + row(columns) + list.tasks.map { row(values($0)) }.joined()
  }

  private static func values(_ task: ShelfTask) -> [String] {
    // For a missing book, the place to look for it.
    let spot = task.spot ?? task.behind?.spot
    var values = [task.task.rawValue]
    values += [task.mark ?? "", task.title, task.author ?? ""].map(CSVCell.text)
    values += [task.isbn ?? "", spot?.photo ?? ""]
    values.append(spot.map { "\($0.row)" } ?? "")
    values.append(spot?.book.map { "\($0)" } ?? "")
    values.append(CSVCell.text(task.behind?.text ?? ""))
    values.append(CSVCell.text(task.before?.text ?? ""))
    return values
  }

  private static func row(_ values: [String]) -> String {
    values.map { CSVCell.write($0) }.joined(separator: ",") + "\r\n"
  }
}

/// The worklist on the page of a scan, above its photographs.
enum WorklistPage {
  static func html(_ list: ShelfWorklist) -> String {
    let summary = WorklistText.summary(list).map { "<p>\(HTMLText.escape($0))</p>" }.joined()
    let rows = list.tasks.map { task in
      """
      <tr><td>\(HTMLText.escape(task.task.rawValue))</td><td>\(HTMLText.escape(task.mark ?? ""))</td>\
      <td><b>\(HTMLText.escape(task.title))</b> \(HTMLText.escape(task.author ?? ""))</td><td>\(places(task))</td></tr>
      """
    }
    guard !rows.isEmpty else {
      return "<section class=\"worklist\"><h2>The shelf and the list</h2>\(summary)</section>"
    }
    return """
      <section class="worklist"><h2>The shelf and the list</h2>\(summary)
      <table><thead><tr><th>task</th><th>mark</th><th>book</th><th>place</th></tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></section>
      """
  }

  private static func places(_ task: ShelfTask) -> String {
    let spot = task.spot ?? task.behind?.spot ?? task.before?.spot
    let text = HTMLText.escape(WorklistText.places(task).joined(separator: "; "))
    guard let page = spot?.page else { return text }
    return "<a href=\"#p\(page.photo)-o\(page.outline)\">\(text)</a>"
  }

  static let css = """
    .worklist{margin-top:28px}.worklist table{border-collapse:collapse;width:100%;margin-top:10px}
    .worklist th,.worklist td{text-align:left;vertical-align:top;padding:6px 12px 6px 0;border-top:1px solid var(--rule)}
    .worklist th{color:var(--dim);font-weight:400;white-space:nowrap}.worklist td:first-child{white-space:nowrap}.worklist a{color:inherit}

    """
}
