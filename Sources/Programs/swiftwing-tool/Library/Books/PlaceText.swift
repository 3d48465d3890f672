import Console
import Library

extension PhotographPlace {
  /// The place as text: `shelf-3.jpg, row 2, book 7`, or `living room, 3: shelf-3.jpg, row 2, book 7`. A camera's photo is `photo
  /// 12`.
  var text: String { location.map { "\(PlainText.printable($0)): \(spotText)" } ?? spotText }

  /// The place without the position in the row: `living room, 3: shelf-3.jpg, row 2`.
  var shelfText: String {
    let name = ([photographName] + [row.map { "row \($0)" }].compactMap(\.self)).joined(separator: ", ")
    return location.map { "\(PlainText.printable($0)): \(name)" } ?? name
  }

  private var spotText: String { ([photographName] + [spot].compactMap(\.self)).joined(separator: ", ") }

  /// The name of the photograph's file without its folder, or the number of a camera's photo.
  private var photographName: String {
    guard let path else { return "photo \(number)" }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return PlainText.printable(name)
  }

  private var spot: String? {
    guard let row, let position, position.isFinite else { return nil }
    let before = Int(min(max(position, 0), 1e9))
    if Double(before) == position { return "row \(row), book \(before)" }
    return before == 0 ? "row \(row), before book 1" : "row \(row), after book \(before)"
  }
}
