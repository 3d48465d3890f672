import Console
import Foundation
import Library

/// Goes through the books to review: shows a book, reads a line, and commits the answer.
struct ReviewSession {
  /// The number of answers of each kind.
  struct Tally: Encodable, Equatable {
    var confirmed = 0
    var corrected = 0
    var deleted = 0
    var skipped = 0
    var split = 0
    var added = 0
    /// The number of books of the review's certainty that are still to be reviewed.
    var left = 0
    /// The number of unlikely books that are left for a review of their own; nil if this is one.
    var unlikely: Int?
  }

  private struct Step {
    var place: Int
    /// The change in the library; nil for a skipped book.
    var change: LibraryChange.ID?
    var count: WritableKeyPath<Tally, Int>
  }

  private let library: Library
  private let certainty: BookFinding.Certainty
  private let voice: ReviewVoice
  private let pictures: any SpinePictures
  private var place = 0
  private var tally = Tally()
  private var steps: [Step] = []
  private var lines = AnswerLines()

  init(
    _ library: Library, _ certainty: BookFinding.Certainty, voice: ReviewVoice, pictures: any SpinePictures
  ) {
    self.library = library
    self.certainty = certainty
    self.voice = voice
    self.pictures = pictures
  }

  mutating func run() async throws {
    let ids = try await library.booksToReview(certainty)
    while place < ids.count {
      guard let details = try await waiting(ids[place]) else {
        place += 1
        continue
      }
      try await show(details, of: ids.count)
      guard let line = lines.next() else { break }
      let answer = ReviewAnswerLine(line)
      if answer == .quit { break }
      try await take(answer, details.book)
    }
    tally.left = try await library.countToReview(certainty)
    if certainty == .doubtful { tally.unlikely = try await library.countToReview(.unlikely) }
    try voice.end(tally)
  }

  private mutating func take(_ answer: ReviewAnswerLine, _ book: Book) async throws {
    switch answer {
    case .back: try await goBack()
    case .help: voice.help()
    case .swap: try await swap(book)
    case .edit: try await edit(book)
    case .skip, .quit: try note(book, "skipped", count: \.skipped, change: nil)
    case .right: try await commit(.right(BookEdit()), book, word: "confirmed", count: \.confirmed)
    case .correction(let edit): try await commit(.right(edit), book, word: "corrected", count: \.corrected)
    case .noBook: try await commit(.noBook, book, word: "deleted", count: \.deleted)
    case .several(let names): try await commit(.several(names), book, word: "split", count: \.split)
    case .missing(let edit): try await add(edit, after: book)
    }
  }

  /// Returns the details of a book, or nil if it no longer waits: another process may have answered.
  private func waiting(_ id: Book.ID) async throws -> BookDetails? {
    guard let book = try await library.book(id), book.confirmedAt == nil,
      book.certainty == .doubtful || book.certainty == .unlikely
    else { return nil }
    return try await library.details(of: [id]).first
  }

  private func show(_ details: BookDetails, of count: Int) async throws {
    try voice.show(ShownBook(details), details.book, number: place + 1, of: count)
    guard details.hasPicture, let picture = try await library.picture(of: details.book.id) else { return }
    pictures.show(picture, of: details.book.id)
  }

  private mutating func swap(_ book: Book) async throws {
    guard !book.author.isEmpty else { return Terminal.tell("there is no author to swap with") }
    let edit = BookEdit(title: book.author, author: book.title)
    try await commit(.right(edit), book, word: "corrected", count: \.corrected)
  }

  /// Lets a person edit the name. The book is asked for again if the line is dropped.
  private mutating func edit(_ book: Book) async throws {
    guard ReviewVoice.canEdit else { return Terminal.tell("a line can be edited only on a terminal") }
    let name = book.author.isEmpty ? book.title : "\(book.title) / \(book.author)"
    guard let line = LineEditor.edit(name, prompt: "  > ") else { return }
    try await take(ReviewAnswerLine(edited: line), book)
  }

  /// Adds a book behind `book`. The session then asks about `book` again.
  private mutating func add(_ edit: BookEdit, after book: Book) async throws {
    let added: (book: Book, change: LibraryChange?)
    do { added = try await library.add(byHand: edit, after: book.id) } catch {
      guard error.kind == .badInput else { throw error }
      return Terminal.tell("swiftwing: \(error)")
    }
    try note(added.book, "added", count: \.added, change: added.change?.id, isDone: false)
  }

  /// Commits an answer. If it cannot be stored, reports the reason; the book is then asked for again.
  private mutating func commit(
    _ answer: ReviewAnswer, _ book: Book, word: String, count: WritableKeyPath<Tally, Int>
  ) async throws {
    let change: LibraryChange?
    do { change = try await library.review(book.id, answer) } catch {
      guard error.kind == .badInput else { throw error }
      return Terminal.tell("swiftwing: \(error)")
    }
    try note(book, word, count: count, change: change?.id)
  }

  private mutating func note(
    _ book: Book, _ word: String, count: WritableKeyPath<Tally, Int>, change: LibraryChange.ID?,
    isDone: Bool = true
  ) throws {
    tally[keyPath: count] += 1
    steps.append(Step(place: place, change: change, count: count))
    if isDone { place += 1 }
    try voice.answered(book.id, word)
  }

  private mutating func goBack() async throws {
    guard let step = steps.popLast() else { return Terminal.tell("there is no answer to take back") }
    if let change = step.change {
      do { try await library.undo(change: change) } catch {
        guard error.kind == .badInput else { throw error }
        return Terminal.tell("swiftwing: \(error)")
      }
    }
    tally[keyPath: step.count] -= 1
    place = step.place
    voice.tookBack()
  }
}
