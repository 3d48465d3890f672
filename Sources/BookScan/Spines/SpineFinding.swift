/// One physical book, as far as its spine tells.
public struct SpineFinding: Sendable, Hashable, Codable {
  /// Empty for a book of which only the barcode was read.
  public var title: String
  /// Nil when the spine shows none, or it could not be told from the title.
  public var author: String?
  /// Thirteen digits, from a barcode on or beside the text.
  public var isbn: String?
  /// 0…1.
  public var confidence: Double
  /// Around all of its text, in the upright photo.
  public var box: Box
  /// Clockwise turn of the title from upright, degrees in 0..<360.
  public var angle: Double

  /// A finding as it is; nothing is checked.
  /// - Parameters:
  ///   - confidence: 0…1.
  ///   - angle: degrees in 0..<360.
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
