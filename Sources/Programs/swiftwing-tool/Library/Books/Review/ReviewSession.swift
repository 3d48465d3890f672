import Console
import Library

/// Goes through the books one by one: shows a book, reads a line, and commits the answer. For answers that do not come from a terminal.
struct ReviewSession {
  private let books: ReviewedBooks
  private let pictures: any SpinePictures
  private(set) var actions: ReviewActions
  private var place = 0
  private var lines = AnswerLines()

  init(_ books: ReviewedBooks, voice: ReviewVoice, pictures: any SpinePictures) {
    self.books = books
    self.pictures = pictures
    actions = ReviewActions(books.library, voice)
  }

  mutating func run() async throws {
    while place < books.ids.count {
      guard let details = try await books.waiting(at: place) else {
        place += 1
        continue
      }
      try actions.voice.show(ShownBook(details), details.book, number: place + 1, of: books.ids.count)
      if let picture = try await books.picture(details) { pictures.show(picture, of: details.book.id) }
      guard let line = lines.next() else { break }
      let answer = ReviewAnswerLine(line)
      if answer == .quit { break }
      try await take(answer, details.book)
    }
    try await actions.end(books.certainty)
  }

  private mutating func take(_ answer: ReviewAnswerLine, _ book: Book) async throws {
    switch answer {
    case .back:
      guard let former = try await actions.takeBack() else { return }
      place = former
      actions.voice.tookBack()
    case .help: Terminal.tell(ReviewAnswerLine.legend)
    case .right, .noBook, .skip, .quit, .swap, .correction, .several, .missing:
      if try await actions.accept(answer, book, at: place) { place += 1 }
    }
  }
}

/// The books of a review, in its order.
struct ReviewedBooks: Sendable {
  let library: Library
  let certainty: BookFinding.Certainty
  let ids: [Book.ID]
  /// Whether a person named the books. They are then reviewed whatever their certainty is.
  let isNamed: Bool

  /// - Parameter ids: the books that a person named. Empty for all books of the certainty.
  init(_ library: Library, _ certainty: BookFinding.Certainty, _ ids: [Book.ID]) async throws {
    self.library = library
    self.certainty = certainty
    isNamed = !ids.isEmpty
    if isNamed { _ = try await library.details(of: ids) }
    self.ids = isNamed ? ids : try await library.booksToReview(certainty)
  }

  /// Returns the details of a book, or nil if it no longer waits: another process may have answered.
  func waiting(at place: Int) async throws -> BookDetails? {
    guard let book = try await library.book(ids[place]) else { return nil }
    let waits =
      book.confirmedAt == nil && (book.certainty == .doubtful || book.certainty == .unlikely)
    return isNamed || waits ? try await library.details(of: [book.id]).first : nil
  }

  func picture(_ details: BookDetails) async throws -> [UInt8]? {
    details.hasPicture ? try await library.picture(of: details.book.id) : nil
  }
}
