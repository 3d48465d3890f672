public import Foundation

/// What photographs of shelves hold, read by a person: `ground_truth.json`.
public struct ShelfTruth: Decodable, Sendable {
  /// A spine on a photographed shelf.
  public struct Spine: Decodable, Sendable {
    /// As it is printed; nil when the spine shows none, or none that can be read.
    public var title: String?
    /// As printed; nil when the spine names none.
    public var author: String?
    /// Clockwise, degrees; nil when not told.
    public var rotation: Double?

    private enum CodingKeys: String, CodingKey {
      case title, author
      case rotation = "text_rotation_cw"
    }
  }

  /// What one photograph holds.
  public struct Photo: Decodable, Sendable {
    /// The name of its file, in the folder of `ground_truth.json`.
    public var file: String
    /// Every legible spine is listed.
    public var complete: Bool
    /// Its spines, in any order.
    public var spines: [Spine]
  }

  /// The photographs that were read by a person.
  public var photos: [Photo]

  /// - Throws: `DecodingError` for a document of another shape.
  public init(json: Data) throws { self = try JSONDecoder().decode(ShelfTruth.self, from: json) }
}

/// How one photo was read.
public struct ShelfScore: Sendable {
  /// Titles with words in them, and how many of them the lines hold together.
  public var titles = 0
  /// How many of `titles` the lines hold (``ReadText/holds(_:)``).
  public var titlesRead = 0
  /// Books found, and how many of them pair off with a spine each.
  public var books = 0
  /// How many of `books` pair off with a spine each. The others are wrong, or found twice.
  public var booksRight = 0
  /// Whether every legible spine is listed. Where it is not, a book too many need not be wrong.
  public var isComplete: Bool
  /// The titles with words in them.
  public var shelf: [String]
  /// By title: whether the lines hold it.
  public var isRead: [Bool]
  /// By book found: the title it pairs off with, an index of `shelf`.
  public var spineOfBook: [Int?]
  /// By book found: the titles it holds, indices of `shelf`; each pairs off with one of them at most.
  public var titlesOfBook: [[Int]]

  /// - Parameter books: title and author of each.
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

  /// The most records that can have a spine each (augmenting paths, Kuhn 1955).
  /// - Returns: by record, its spine.
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
