/// A book as an entry of BibTeX, for biber and BibTeX with UTF-8.
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

  /// `Last, First`. A name that BibTeX would divide, by `and` or by a second comma, is one in braces.
  private static func name(_ person: PersonName) -> String {
    let words = person.sorted.lowercased().split(separator: " ")
    let isOne =
      words.contains("and") || words.contains("others") || person.sorted.count(where: { $0 == "," }) > 1
    return isOne ? "{\(escaped(person.plain))}" : escaped(person.sorted)
  }

  /// What TeX would read as a command. Braces count for BibTeX also behind a backslash, so that they have names.
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
