import Bibliography
import Console
import Foundation
import Library

/// The format `Title / Author`, as commands print it and as a person types it.
enum BookName {
  /// Returns the text of a title and an author.
  /// - Parameter nothing: the text for a missing title, so that the author is not mistaken for one.
  static func text(_ title: String, _ author: String?, without nothing: String = "(title not read)") -> String
  {
    let title = title.isEmpty ? nothing : title
    guard let author, !author.isEmpty else { return PlainText.printable(title) }
    return PlainText.printable("\(title) / \(author)")
  }

  /// Parses a typed name. A missing part stays unchanged: `/ Author` is only an author, `Title` only a title. `Title /` has no author.
  /// - Returns: nil if both are missing.
  static func parse(_ text: String) -> BookEdit? {
    let line = CleanText.line(text)
    let padded = " \(line) "
    guard let divider = padded.range(of: " / ") else { return line.isEmpty ? nil : BookEdit(title: line) }
    let parts = [padded[..<divider.lowerBound], padded[divider.upperBound...]].map {
      CleanText.name(String($0))
    }
    if parts.allSatisfy(\.isEmpty) { return nil }
    return BookEdit(title: parts[0].isEmpty ? nil : parts[0], author: parts[1])
  }
}
