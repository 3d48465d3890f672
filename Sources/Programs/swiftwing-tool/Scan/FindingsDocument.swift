import Bibliography
import BookScan
import Foundation
import Imagery
import Library
import Uploads

/// The document that `scan --photos --json` prints for one photo.
struct FindingsDocument: Encodable {
  /// A line of text. Coordinates are pixels of the upright photo.
  struct Line: Encodable {
    var text: String
    var confidence: Double
    /// x, y, width, height.
    var box: [Double]
    /// The clockwise rotation of the text from upright, degrees.
    var angle: Double
  }

  /// A run of words and its role.
  struct Part: Encodable {
    var role: SpinePart.Role
    var text: String
    var probability: Double

    init(_ part: SpinePart) {
      role = part.role
      text = CleanText.line(part.text)
      probability = FindingsDocument.hundredths(part.probability)
    }
  }

  struct Book: Encodable {
    var title: String
    var author: String?
    var isbn: String?
    var confidence: Double
    var fieldsConfidence: Double?
    var certainty: Certainty
    var box: [Double]
    /// The four corners, x and y of each.
    var outline: [[Double]]
    /// The parts, in reading order.
    var parts: [Part]
    /// The catalogue's name. Written only if a catalogue was used; null if the catalogue does not have the book.
    var catalogue: CatalogueName??

    init(_ spine: SpineFinding) {
      title = CleanText.line(spine.title)
      author = spine.author.map { CleanText.line($0) }
      isbn = spine.isbn
      confidence = FindingsDocument.hundredths(spine.confidence)
      fieldsConfidence = spine.fieldsConfidence.map { FindingsDocument.hundredths($0) }
      certainty = spine.certainty
      box = FindingsDocument.numbers(spine.box)
      outline = spine.outline.map { [$0.x.rounded(), $0.y.rounded()] }
      parts = spine.parts.map(Part.init)
    }

    // Missing values are written as null, so that every book has the same keys.
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(title, forKey: .title)
      try container.encode(author, forKey: .author)
      try container.encode(isbn, forKey: .isbn)
      try container.encode(confidence, forKey: .confidence)
      try container.encode(fieldsConfidence, forKey: .fieldsConfidence)
      try container.encode(certainty, forKey: .certainty)
      try container.encode(box, forKey: .box)
      try container.encode(outline, forKey: .outline)
      try container.encode(parts, forKey: .parts)
      if let catalogue { try container.encode(catalogue, forKey: .catalogue) }
    }

    enum Key: CodingKey {
      case title, author, isbn, confidence, fieldsConfidence, certainty, box, outline, parts, catalogue
    }
  }

  /// The processor seconds by stage.
  struct Cost: Encodable {
    var decoding: Double
    var detection: Double
    var recognition: Double
    var secondScript: Double
    var spines: Double

    init(_ cost: ReadingCost) {
      decoding = FindingsDocument.hundredths(cost.decoding)
      detection = FindingsDocument.hundredths(cost.detection)
      recognition = FindingsDocument.hundredths(cost.recognition)
      secondScript = FindingsDocument.hundredths(cost.secondScript)
      spines = FindingsDocument.hundredths(cost.spines)
    }
  }

  var photo: String
  var recognizer: String
  var milliseconds: Double
  /// Width and height of the upright picture in whose pixels all coordinates are. A photo of more than 50 megapixels is read from a
  /// smaller copy.
  var size: [Int]
  /// The cost; nil if it was not measured.
  var cost: Cost?
  var lines: [Line]
  /// The sure and the doubtful books.
  var books: [Book]
  var unlikely: [Book]

  init(photo: String, scan: PhotoScan) {
    self.init(photo: photo, findings: scan.findings, milliseconds: scan.milliseconds)
  }

  init(photo: String, findings: PhotoFindings, milliseconds: Double) {
    self.photo = photo
    recognizer = findings.recognizer
    self.milliseconds = milliseconds.rounded()
    size = [findings.size.width, findings.size.height]
    cost = findings.cost.map(Cost.init)
    lines = findings.lines.map {
      Line(
        text: CleanText.line($0.text), confidence: Self.hundredths($0.confidence),
        box: Self.numbers($0.region.box),
        angle: $0.region.angle.rounded())
    }
    books = findings.spines.map(Book.init)
    unlikely = findings.unlikely.map(Book.init)
  }

  /// Adds the catalogue's names to the books.
  mutating func take(_ names: [CatalogueName?]) {
    for (index, name) in zip(books.indices, names) { books[index].catalogue = .some(name) }
  }

  /// The document as one line of JSON.
  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  fileprivate static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
  fileprivate static func numbers(_ box: Box) -> [Double] {
    [box.x, box.y, box.width, box.height].map { $0.rounded() }
  }
}
