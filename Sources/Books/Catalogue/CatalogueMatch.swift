/// The book of a catalogue that a reading is of.
public struct CatalogueMatch: Sendable, Equatable, Codable {
  /// As the catalogue has it, with the number of the volume; without a subtitle that is a field of its own there.
  public var title: String
  /// Nil where the catalogue names none.
  public var author: String?
  /// Thirteen digits. Nil where the catalogue has none, or has several editions that the reading does not tell apart.
  public var isbn: String?
  /// How well the reading and the record agree, 0…1: 1 for an ISBN that was read, or for every letter alike. It is no probability.
  public var score: Double

  /// A match of your own, for a stand-in of a catalogue.
  public init(title: String, author: String?, isbn: String?, score: Double) {
    self.title = title
    self.author = author
    self.isbn = isbn
    self.score = score
  }
}
