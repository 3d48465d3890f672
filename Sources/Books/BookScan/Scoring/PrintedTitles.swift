public import Foundation

/// The visible parts of titles in the photographs: the file `printed.json`.
public struct PrintedTitles: Decodable, Sendable {
  /// The visible title of one spine.
  public struct Title: Decodable, Sendable {
    /// The name of the photograph's file.
    public var file: String
    /// The index of the spine in the photograph's list, from 0.
    public var spine: Int
    /// The visible part of the title; nil if none of it is visible.
    public var printed: String?
  }

  /// Titles that are not wholly visible.
  public var titles: [Title]
  /// Files of photographs that are not scored, because the texts listed for their spines are no titles.
  public var leftOut: [String]

  private enum CodingKeys: String, CodingKey {
    case titles
    case leftOut = "left_out"
  }

  /// Decodes the document.
  /// - Throws: `DecodingError` if the document has another structure.
  public init(json: Data) throws { self = try JSONDecoder().decode(Self.self, from: json) }
}

extension ShelfTruth {
  /// Returns the truth with its titles cut to their visible parts, without the photographs that are left out. Ignores titles of
  /// spines that the truth does not list.
  public func cut(by printed: PrintedTitles) -> ShelfTruth {
    var truth = self
    for index in truth.photos.indices {
      for title in printed.titles where title.file == truth.photos[index].file {
        guard truth.photos[index].spines.indices.contains(title.spine) else { continue }
        truth.photos[index].spines[title.spine].title = title.printed
      }
    }
    truth.photos.removeAll { printed.leftOut.contains($0.file) }
    return truth
  }
}
