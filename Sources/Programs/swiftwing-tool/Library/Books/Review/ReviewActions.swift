import Console
import Library

/// Carries out the answers of a review, counts them, and takes them back.
struct ReviewActions {
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

    /// The answers in words, such as `3 confirmed, 1 corrected`.
    func text(_ isShort: Bool) -> String {
      let always = [
        (confirmed, "confirmed"), (corrected, "corrected"), (deleted, "deleted"), (skipped, "skipped"),
      ]
      let seldom = [(split, "split"), (added, "added")]
      let parts = always.filter { !isShort || $0.0 > 0 } + seldom.filter { $0.0 > 0 }
      return parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
  }

  private struct Step {
    var place: Int
    /// The change in the library; nil for a skipped book.
    var change: LibraryChange.ID?
    var count: WritableKeyPath<Tally, Int>
  }

  let library: Library
  let voice: ReviewVoice
  private(set) var tally = Tally()
  private var steps: [Step] = []

  init(_ library: Library, _ voice: ReviewVoice) { (self.library, self.voice) = (library, voice) }

  /// The number of answers that can be taken back.
  var count: Int { steps.count }

  /// The number of changes in the library.
  var changes: Int { steps.count { $0.change != nil } }

  /// Carries out an answer.
  /// - Parameter place: the book's place in the review, to which taking the answer back returns.
  /// - Returns: whether the book is done. False if the answer is none about a book, or adds another one.
  /// - Throws: `badInput` if the answer does not suit the library.
  mutating func take(_ answer: ReviewAnswerLine, _ book: Book, at place: Int) async throws -> Bool {
    switch answer {
    case .back, .help, .quit: return false
    case .skip: try note(book, "skipped", \.skipped, change: nil, place)
    case .swap: return try await swap(book, place)
    case .right: try await commit(.right(BookEdit()), book, "confirmed", \.confirmed, place)
    case .correction(let edit): try await commit(.right(edit), book, "corrected", \.corrected, place)
    case .noBook: try await commit(.noBook, book, "deleted", \.deleted, place)
    case .several(let names): try await commit(.several(names), book, "split", \.split, place)
    case .missing(let edit):
      let added = try await library.add(byHand: edit, after: book.id)
      try note(added.book, "added", \.added, change: added.change?.id, place)
      return false
    }
    return true
  }

  /// Carries out an answer, or reports why it does not suit the library.
  /// - Returns: whether the book is done.
  mutating func accept(_ answer: ReviewAnswerLine, _ book: Book, at place: Int) async throws -> Bool {
    do { return try await take(answer, book, at: place) } catch let error as DeliveryError
      where error.kind == .badInput
    {
      Terminal.tell("swiftwing: \(error)")
      return false
    }
  }

  /// Takes the latest answer back.
  /// - Returns: the place of its book. Nil if there is no answer, or if it cannot be taken back; the reason is reported.
  mutating func takeBack() async throws -> Int? {
    guard let step = steps.popLast() else {
      Terminal.tell("there is no answer to take back")
      return nil
    }
    if let change = step.change {
      do { try await library.undo(change: change) } catch {
        guard error.kind == .badInput else { throw error }
        Terminal.tell("swiftwing: \(error)")
        return nil
      }
    }
    tally[keyPath: step.count] -= 1
    return step.place
  }

  /// Counts the books that are left, and reports the answers.
  mutating func end(_ certainty: BookFinding.Certainty) async throws {
    tally.left = try await library.countToReview(certainty)
    if certainty == .doubtful { tally.unlikely = try await library.countToReview(.unlikely) }
    try voice.end(tally)
  }

  private mutating func swap(_ book: Book, _ place: Int) async throws -> Bool {
    guard !book.author.isEmpty else {
      Terminal.tell("there is no author to swap with")
      return false
    }
    let edit = BookEdit(title: book.author, author: book.title)
    try await commit(.right(edit), book, "corrected", \.corrected, place)
    return true
  }

  private mutating func commit(
    _ answer: ReviewAnswer, _ book: Book, _ word: String, _ count: WritableKeyPath<Tally, Int>, _ place: Int
  ) async throws {
    let change = try await library.review(book.id, answer)
    try note(book, word, count, change: change?.id, place)
  }

  private mutating func note(
    _ book: Book, _ word: String, _ count: WritableKeyPath<Tally, Int>, change: LibraryChange.ID?,
    _ place: Int
  ) throws {
    tally[keyPath: count] += 1
    steps.append(Step(place: place, change: change, count: count))
    try voice.answered(book.id, word)
  }
}
