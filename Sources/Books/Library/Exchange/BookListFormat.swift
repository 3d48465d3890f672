import Bibliography
package import FoundationEssentials

/// The file format of a list of books.
///
/// A table is in UTF-8 with a byte order mark, by which spreadsheets recognise the encoding. Its first line names the columns
/// `title,author,isbn,format,coverURL,addedAt,confidence,certainty,confirmedAt,copies,id,library,photo,location`. JSON begins with
/// `{"schema":"swiftwing-library/1","books":[`, and has one book per line with the same names. Times are ISO 8601 in UTC. `library` identifies the
/// library that gave the `id`, `photo` names the photographs that show the book, and `location` is the place of the shelf in the first of these
/// photographs. `copies` is the number that ``Library/copies(of:)`` gives. A table gives the confidence with two digits.
public enum BookListFormat: String, Sendable, CaseIterable, Codable {
  /// Comma-separated values by RFC 4180, which spreadsheets read and write.
  case csv
  /// The same table with tabs instead of commas, which spreadsheets of every locale read alike.
  case tsv
  /// JSON, without any loss.
  case json

  /// Chooses the format by the extension of a file name. Nil if no format has this extension.
  public init?(fileName: String) {
    guard let ending = fileName.split(separator: ".").last, let format = Self(rawValue: ending.lowercased())
    else {
      return nil
    }
    self = format
  }

  static let schema = "swiftwing-library/1"

  package var opening: String {
    switch self {
    case .csv, .tsv: "\u{FEFF}" + row(BookRecord.Field.allCases.map(\.rawValue))
    case .json: "{\"schema\":\"\(Self.schema)\",\"books\":[\n"
    }
  }

  package var closing: String {
    switch self {
    case .csv, .tsv: ""
    case .json: "\n]}\n"
    }
  }

  /// - Parameter isFirst: whether this is the first record of the file.
  package func text(_ record: BookRecord, isFirst: Bool, _ encoder: JSONEncoder) throws -> String {
    switch self {
    case .json: try (isFirst ? "" : ",\n") + String(decoding: encoder.encode(record), as: UTF8.self)
    case .csv, .tsv: row(BookRecord.Field.allCases.map(record.text))
    }
  }

  private func row(_ values: [String]) -> String {
    let divider: Unicode.Scalar = self == .tsv ? "\t" : ","
    return values.map { CSVCell.write($0, divider: divider) }.joined(separator: String(divider)) + "\r\n"
  }
}

extension BookRecord {
  fileprivate func text(_ field: Field) -> String {
    switch field {
    case .title: CSVCell.text(title)
    case .author: CSVCell.text(author)
    case .isbn: isbn ?? ""
    case .format: CSVCell.text(format ?? "")
    case .coverURL: coverURL ?? ""
    case .addedAt: addedAt.map(Timestamp.text) ?? ""
    case .confidence: confidence.map(Self.twoDigits) ?? ""
    case .certainty: certainty?.rawValue ?? ""
    case .confirmedAt: confirmedAt.map(Timestamp.text) ?? ""
    case .copies: copies.map { "\($0)" } ?? ""
    case .id: place.map { "\($0.id)" } ?? ""
    case .library: place?.library ?? ""
    case .photo: photo ?? ""
    case .location: CSVCell.text(location ?? "")
    }
  }

  private static func twoDigits(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
  }
}
