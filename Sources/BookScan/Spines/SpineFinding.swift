/// One physical book, as far as its spine tells.
public struct SpineFinding: Sendable, Hashable, Codable {
  /// Empty for a book of which only the barcode was read.
  public var title: String
  public var author: String?
  /// Thirteen digits, from a barcode on or beside the text.
  public var isbn: String?
  /// 0…1.
  public var confidence: Double
  public var box: Box
  /// Clockwise turn of the title from upright, degrees in 0..<360.
  public var angle: Double

  public init(
    title: String, author: String? = nil, isbn: String? = nil, confidence: Double, box: Box, angle: Double
  ) {
    self.title = title
    self.author = author
    self.isbn = isbn
    self.confidence = confidence
    self.box = box
    self.angle = angle
  }
}
