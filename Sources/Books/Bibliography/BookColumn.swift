import Foundation

/// The content of a column in a table of books.
package enum BookColumn: String, CaseIterable, Sendable {
  case title, subtitle, author, isbn, volume, edition, publisher, format, mark
  /// The authors with last names first. Used only if `author` is empty.
  case sortedAuthor
  /// Further authors beside the first.
  case furtherAuthor
  /// Numbers, some of which may be ISBNs.
  case otherNumber
  // Further columns of a library's export.
  case coverURL, addedAt, confidence, certainty, confirmedAt, copies, id, library, photo, location

  /// Whether a table may have several columns of this kind.
  var isList: Bool {
    switch self {
    case .author, .sortedAuthor, .furtherAuthor, .isbn, .otherNumber: true
    case .title, .subtitle, .volume, .edition, .publisher, .format, .mark, .coverURL, .addedAt, .confidence,
      .certainty,
      .confirmedAt, .copies, .id, .library, .photo, .location:
      false
    }
  }

  /// - Parameter name: the name in the first line. Case and characters other than letters and digits are ignored.
  init?(named name: String) {
    guard let column = Self.names[Self.folded(name)] else { return nil }
    self = column
  }

  static func folded(_ name: String) -> String {
    let scalars = name.decomposedStringWithCanonicalMapping.lowercased().unicodeScalars.prefix(200)
    return String(String.UnicodeScalarView(scalars.filter { $0.properties.isAlphabetic || isDigit($0) }))
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static let names: [String: BookColumn] = {
    var names: [String: BookColumn] = [:]
    for (column, others) in others {
      for name in others.split(separator: " ") { names[String(name)] = column }
    }
    for column in allCases { names[column.rawValue.lowercased()] = column }
    return names
  }()

  /// Other names of the columns, folded: in Goodreads, LibraryThing, Calibre, StoryGraph, BookBuddy, Libib, Zotero, Readerware, CLZ and Koha, and
  /// in spreadsheets of six languages.
  private static let others: [BookColumn: String] = [
    .title: "booktitle titel titre titulo titolo",
    .subtitle: "untertitel soustitre subtitulo sottotitolo ondertitel",
    .author:
      "authors authortext authorname authornames primaryauthor firstauthor mainauthor creator creators authorfirstlast "
      + "autor autoren autorin verfasser auteur auteurs autores autore autori",
    .sortedAuthor: "authorlf authorsort authorlastfirst authorlastnamefirst authorsorted authorfilelastfirst",
    .furtherAuthor:
      "additionalauthors additionalauthor secondaryauthor secondaryauthors otherauthors coauthor coauthors "
      + "author2 author3 author4",
    .isbn: "isbns isbn13 isbn10 isbn13s isbn10s isbnnumber isbnnumbers isbn1013 isbn13isbn10",
    .otherNumber:
      "isbnuid isbnissn isbnean isbnasin ean ean13 eanisbn13 eanisbn upcisbn10 upcisbn identifiers identifier",
    .volume: "seriesnumber volumenumber band bandnummer tome tomo",
    .edition: "editionstatement auflage ausgabe edicion edizione",
    .publisher: "publishers publishername verlag editeur editorial editore uitgever editora",
    .format: "binding bindingtype einband",
    .mark:
      "callnumber callno itemcallnumber shelfmark shelfnumber signatur cote signatura collocazione plaatskenmerk classification "
      + "deweydecimal dewey ddc lcclassification lcc",
  ]
}
