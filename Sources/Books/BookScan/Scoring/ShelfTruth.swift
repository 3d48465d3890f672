public import Foundation

/// The spines on photographs of shelves, as a person read them: the file `ground_truth.json`.
public struct ShelfTruth: Decodable, Sendable {
  /// A spine on a photographed shelf.
  public struct Spine: Decodable, Sendable {
    /// The title as printed; nil if the spine shows no legible title.
    public var title: String?
    /// The author as printed; nil if the spine names none.
    public var author: String?
    /// The clockwise rotation of the text, degrees; nil if unknown.
    public var rotation: Double?

    private enum CodingKeys: String, CodingKey {
      case title, author
      case rotation = "text_rotation_cw"
    }
  }

  /// The spines of one photograph.
  public struct Photo: Decodable, Sendable {
    /// The name of the photograph's file, in the folder of `ground_truth.json`.
    public var file: String
    /// Whether every legible spine is listed.
    public var complete: Bool
    /// The spines on the photograph, in any order.
    public var spines: [Spine]
  }

  /// The photographs that a person read.
  public var photos: [Photo]

  /// Decodes the document.
  /// - Throws: `DecodingError` if the document has another structure.
  public init(json: Data) throws { self = try JSONDecoder().decode(ShelfTruth.self, from: json) }
}

/// The score of one photo's reading.
public struct ShelfScore: Sendable {
  /// The number of titles with words in them.
  public var titles = 0
  /// The number of titles that were read (``ReadText/holds(_:)``).
  public var titlesRead = 0
  /// The number of books found.
  public var books = 0
  /// The number of books found that are each paired with a spine. The other books are wrong, or were found twice.
  public var booksRight = 0
  /// Whether the truth lists every legible spine. If not, a book without a spine need not be wrong.
  public var isComplete: Bool
  /// The titles with words in them, in the truth's order.
  public var shelf: [String]
  /// For each title of `shelf`, whether it was read.
  public var isRead: [Bool]
  /// For each book found, the title that it is paired with, as an index of `shelf`; nil for none.
  public var spineOfBook: [Int?]
  /// For each book found, all titles whose words it holds, as indices of `shelf`. The book is paired with at most one of them.
  public var titlesOfBook: [[Int]]

  /// Scores a reading against the truth.
  /// - Parameter books: the title and author of each book found.
  public init(_ truth: ShelfTruth.Photo, lines: [String], books: [(title: String, author: String?)]) {
    let page = ReadText(lines)
    let titles = truth.spines.compactMap(\.title).filter { !TitleScore.titleWords($0).isEmpty }
    shelf = titles
    isRead = titles.map { page.holds($0) }
    self.titles = titles.count
    titlesRead = isRead.count { $0 }
    self.books = books.count
    let records = books.map { ReadText([[$0.title, $0.author ?? ""].joined(separator: " ")]) }
    titlesOfBook = records.map { record in titles.indices.filter { record.holds(titles[$0]) } }
    spineOfBook = Self.pairs(titlesOfBook, titles.count)
    booksRight = spineOfBook.count { $0 != nil }
    isComplete = truth.complete
  }

  /// Pairs as many records as possible with one spine each (augmenting paths, Kuhn 1955).
  /// - Returns: for each record its spine; nil for none.
  static func pairs(_ choices: [[Int]], _ spines: Int) -> [Int?] {
    var owner = [Int?](repeating: nil, count: spines)
    func assign(_ record: Int, _ visited: inout Set<Int>) -> Bool {
      for spine in choices[record] where visited.insert(spine).inserted {
        if let other = owner[spine], !assign(other, &visited) { continue }
        owner[spine] = record
        return true
      }
      return false
    }
    for record in choices.indices {
      var visited: Set<Int> = []
      _ = assign(record, &visited)
    }
    var spine = [Int?](repeating: nil, count: choices.count)
    for (index, record) in owner.enumerated() { if let record { spine[record] = index } }
    return spine
  }
}
