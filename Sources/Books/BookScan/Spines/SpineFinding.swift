/// One physical book as read from its spine.
public struct SpineFinding: Sendable, Hashable, Codable {
  /// The title. Empty for a book of which only the barcode was read.
  public var title: String
  /// The author as printed; nil if the spine shows none, or if title and author could not be told apart.
  public var author: String?
  /// The 13 digits of a barcode on or beside the text; nil for none.
  public var isbn: String?
  /// The probability that this is a book on the shelf, and that the words of the book's title were read, 0…1.
  public var confidence: Double
  /// The probability that title and author are both right and each in its own field, 0…1; nil if it was not judged.
  public var fieldsConfidence: Double?
  /// The verdict on the record.
  public var certainty: Certainty
  /// The box around all text of the spine, in the upright photo.
  public var box: Box
  /// Clockwise turn of the title from upright, degrees in 0..<360.
  public var angle: Double
  /// The four corners of the turned rectangle around the spine's text, in the upright photo. The rectangle is widened to the
  /// edges of the spine, if they are known. The corners are in reading order: above the first letter, above the last, below the
  /// last, below the first. They may lie outside the photo.
  public var outline: [Point]
  /// All text that was read on the spine, in reading order, as runs of words with their roles. Empty for a book of which only the
  /// barcode was read.
  public var parts: [SpinePart]
  /// The record's hash and picture; nil unless requested.
  public var appearance: SpineAppearance?

  /// Creates a finding; nothing is checked.
  /// - Parameters:
  ///   - confidence: the probability that this is a book on the shelf and that its title's words were read, 0…1.
  ///   - angle: the direction of the text, in degrees clockwise from upright, 0..<360.
  ///   - outline: nil for the corners of `box`, clockwise from the upper left.
  public init(
    title: String, author: String? = nil, isbn: String? = nil, confidence: Double,
    fieldsConfidence: Double? = nil,
    certainty: Certainty = .sure, box: Box, angle: Double, outline: [Point]? = nil, parts: [SpinePart] = []
  ) {
    self.title = title
    self.author = author
    self.isbn = isbn
    self.confidence = confidence
    self.fieldsConfidence = fieldsConfidence
    self.certainty = certainty
    self.box = box
    self.angle = angle
    self.outline = outline ?? box.corners
    self.parts = parts
  }
}
