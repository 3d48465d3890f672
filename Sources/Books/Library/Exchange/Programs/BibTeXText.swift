/// Writes a book as a BibTeX entry, for biber and for BibTeX with UTF-8.
enum BibTeXText {
  static func text(_ book: ProgramRecord) -> String {
    let persons = book.persons.map { name($0) }.joined(separator: " and ")
    let fields = [
      ("author", persons), ("title", escaped(book.title)), ("isbn", book.isbn ?? ""),
      ("library", escaped(book.location)),
    ].filter { !$0.1.isEmpty }
    let body = fields.map { "  \($0.0) = {\($0.1)}" }.joined(separator: ",\n")
    return "@book{swiftwing\(book.id),\n\(body)\n}\n\n"
  }

  /// The name as `Last, First`. A name that BibTeX would split, at `and` or at a second comma, is put in braces.
  private static func name(_ person: PersonName) -> String {
    let words = person.sorted.lowercased().split(separator: " ")
    let isOne =
      words.contains("and") || words.contains("others") || person.sorted.count(where: { $0 == "," }) > 1
    return isOne ? "{\(escaped(person.plain))}" : escaped(person.sorted)
  }

  /// Escapes the characters that TeX would read as commands. Braces are written as commands with names, since BibTeX counts braces even behind a
  /// backslash.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\textbackslash{}"
      case "{": result += "\\textbraceleft{}"
      case "}": result += "\\textbraceright{}"
      case "~": result += "\\textasciitilde{}"
      case "^": result += "\\textasciicircum{}"
      case "&", "%", "$", "#", "_":
        result += "\\"
        result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
