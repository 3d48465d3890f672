import Glibc

extension PlainText {
  /// The number of columns to which a line on standard output is cut: 80 on a terminal; nil for a file or a pipe, which gets the whole line.
  package static var outputColumns: Int? { isatty(STDOUT_FILENO) == 1 ? 80 : nil }

  /// The text as one line, cut to `columns` minus `taken`. Not cut if `columns` is nil.
  package static func fitted(_ text: String, columns: Int?, less taken: Int = 0) -> String {
    columns.map { fitted(text, columns: $0 - taken) } ?? printable(text)
  }
}

extension String {
  /// The text followed by spaces up to `width`. Longer text is not cut.
  package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
