/// An error in a list of books, with its line.
package struct ListTrouble: Error, Equatable, Sendable {
  /// The line, counted from 1.
  package var line: Int
  /// The error, as a clause.
  package var reason: String

  package init(line: Int, reason: String) { (self.line, self.reason) = (line, reason) }
}
