import Glibc

extension PlainText {
  /// Columns that a line on standard output is cut to: 80 where a person looks at it. A file or a program gets all of it (`nil`).
  package static var outputColumns: Int? { isatty(STDOUT_FILENO) == 1 ? 80 : nil }

  /// One line, cut to `columns` where there are any, less `taken` of them.
  package static func fitted(_ text: String, columns: Int?, less taken: Int = 0) -> String {
    columns.map { fitted(text, columns: $0 - taken) } ?? printable(text)
  }
}

extension String {
  /// Followed by spaces up to `width`; what is longer stays whole.
  package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
