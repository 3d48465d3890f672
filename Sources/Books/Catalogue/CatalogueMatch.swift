/// The book of a catalogue that matches a reading.
public struct CatalogueMatch: Sendable, Equatable, Codable {
  /// The title in the catalogue, with the number of the volume. A subtitle that the catalogue stores separately is left out.
  public var title: String
  /// The author. Nil if the catalogue names none.
  public var author: String?
  /// The ISBN, thirteen digits. Nil if the catalogue has none, or if it has several editions between which the reading does not decide.
  public var isbn: String?
  /// The agreement of reading and record, 0…1: 1 if the ISBN was read, or if every letter is equal. Not a probability.
  public var score: Double

  /// Creates a match, for a test double of a catalogue.
  public init(title: String, author: String?, isbn: String?, score: Double) {
    self.title = title
    self.author = author
    self.isbn = isbn
    self.score = score
  }
}
