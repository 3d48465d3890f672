/// One physical book, as far as its spine tells.
public struct SpineFinding: Sendable, Hashable, Codable {
  /// Empty for a book of which only the barcode was read.
  public var title: String
  /// As it is printed; nil when the spine shows none, or it could not be told from the title.
  public var author: String?
  /// Thirteen digits, from a barcode on or beside the text.
  public var isbn: String?
  /// The probability that it is a book on this shelf and the words of its title were read, 0…1.
  public var confidence: Double
  /// The probability that its title and its author are both right, each in its field, 0…1; nil where nobody judged it.
  public var fieldsConfidence: Double?
  /// What it is taken for.
  public var certainty: Certainty
  /// Around all of its text, in the upright photo.
  public var box: Box
  /// Clockwise turn of the title from upright, degrees in 0..<360.
  public var angle: Double
  /// The four corners, in the upright photo, of the turned rectangle around its text, widened to its spine as far as that is known; in
  /// reading order: above the first letter, above the last, below the last, below the first. They may lie outside the photo.
  public var outline: [Point]
  /// All that was read on it, in reading order, and what each run of words is taken for; empty for a book of which only the barcode was read.
  public var parts: [SpinePart]

  /// A finding as it is; nothing is checked.
  /// - Parameters:
  ///   - confidence: 0…1.
  ///   - angle: degrees in 0..<360.
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
