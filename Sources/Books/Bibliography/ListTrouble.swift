/// What is wrong with a list of books, and where.
package struct ListTrouble: Error, Equatable, Sendable {
  /// Counted from 1.
  package var line: Int
  /// A clause.
  package var reason: String

  package init(line: Int, reason: String) { (self.line, self.reason) = (line, reason) }
}
