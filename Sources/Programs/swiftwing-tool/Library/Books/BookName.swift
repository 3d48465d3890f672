import Bibliography
import Console
import Foundation
import Library
import Uploads

/// `Title / Author`, as commands print it and as a person types it.
enum BookName {
  /// - Parameter nothing: what stands for a title where there is none, so that no author is taken for one.
  static func text(_ title: String, _ author: String?, without nothing: String = "(title not read)") -> String
  {
    let title = title.isEmpty ? nothing : title
    guard let author, !author.isEmpty else { return PlainText.printable(title) }
    return PlainText.printable("\(title) / \(author)")
  }

  /// What a person has typed. A part that is not there stays as it is: `/ Author` is an author alone, `Title /` a title alone.
  /// - Returns: nil where there is neither.
  static func parse(_ text: String) -> BookEdit? {
    let line = CleanText.line(text)
    let padded = " \(line) "
    guard let divider = padded.range(of: " / ") else { return line.isEmpty ? nil : BookEdit(title: line) }
    let parts = [padded[..<divider.lowerBound], padded[divider.upperBound...]].map {
      CleanText.name(String($0))
    }
    if parts.allSatisfy(\.isEmpty) { return nil }
    return BookEdit(title: parts[0].isEmpty ? nil : parts[0], author: parts[1].isEmpty ? nil : parts[1])
  }
}
