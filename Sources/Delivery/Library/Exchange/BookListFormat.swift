import FoundationEssentials

/// How a list of books is written.
///
/// CSV by RFC 4180, in UTF-8, its first line naming the columns
/// `title,author,isbn,format,coverURL,addedAt,confidence,certainty,confirmedAt,copies,id,library`; JSON as
/// `{"schema":"swiftwing-library/1","books":[` and one book a line with the same names. Times are ISO 8601 in UTC. `library` is the
/// identity of the library whose `id` it is.
public enum BookListFormat: String, Sendable, CaseIterable, Codable {
  /// Comma-separated values, which spreadsheets read and write.
  case csv
  /// JSON; nothing is lost in it.
  case json

  /// By the ending of a file's name; `nil` when it is neither.
  public init?(fileName: String) {
    guard let ending = fileName.split(separator: ".").last, let format = Self(rawValue: ending.lowercased())
    else {
      return nil
    }
    self = format
  }

  static let schema = "swiftwing-library/1"

  var opening: String {
    switch self {
    case .csv: BookRecord.Field.allCases.map(\.rawValue).joined(separator: ",") + "\r\n"
    case .json: "{\"schema\":\"\(Self.schema)\",\"books\":[\n"
    }
  }

  var closing: String { self == .csv ? "" : "\n]}\n" }

  /// - Parameter isFirst: whether nothing was written before it but the opening.
  func text(_ record: BookRecord, isFirst: Bool, _ encoder: JSONEncoder) throws -> String {
    switch self {
    case .json: try (isFirst ? "" : ",\n") + String(decoding: encoder.encode(record), as: UTF8.self)
    case .csv:
      BookRecord.Field.allCases.map { CSVCell.write(record.text($0)) }.joined(separator: ",") + "\r\n"
    }
  }
}

extension BookRecord {
  fileprivate func text(_ field: Field) -> String {
    switch field {
    case .title: title
    case .author: author
    case .isbn: isbn ?? ""
    case .format: format ?? ""
    case .coverURL: coverURL ?? ""
    case .addedAt: addedAt.map(Timestamp.text) ?? ""
    case .confidence: confidence.map { "\($0)" } ?? ""
    case .certainty: certainty?.rawValue ?? ""
    case .confirmedAt: confirmedAt.map(Timestamp.text) ?? ""
    case .copies: copies.map { "\($0)" } ?? ""
    case .id: place.map { "\($0.id)" } ?? ""
    case .library: place?.library ?? ""
    }
  }
}
