public import Foundation

/// Titles cut to what is visible in the photographs: `printed.json`.
public struct PrintedTitles: Decodable, Sendable {
  /// Of one spine.
  public struct Title: Decodable, Sendable {
    /// The name of the photograph's file.
    public var file: String
    /// Its place among the spines of the photograph, from 0.
    public var spine: Int
    /// What can be seen of it; nil when none of it can.
    public var printed: String?
  }

  /// Titles that are not wholly visible.
  public var titles: [Title]
  /// Files of photographs that are not scored: what their truth lists is no titles.
  public var leftOut: [String]

  private enum CodingKeys: String, CodingKey {
    case titles
    case leftOut = "left_out"
  }

  /// - Throws: `DecodingError` for a document of another shape.
  public init(json: Data) throws { self = try JSONDecoder().decode(Self.self, from: json) }
}

extension ShelfTruth {
  /// The truth with its titles cut, without the photographs that are left out. Titles of spines that the truth does not list are ignored.
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
