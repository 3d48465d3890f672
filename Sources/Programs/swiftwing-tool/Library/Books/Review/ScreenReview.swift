import Console
import Glibc
import Library

/// Goes through the books by screens: shows several with their numbers, reads which of them are wrong, and commits the answers.
struct ScreenReview {
  private let books: ReviewedBooks
  private let pictures: any SpinePictures
  private var actions: ReviewActions
  private var place = 0
  /// The first place of each answered screen, and the number of answers before it.
  private var screens: [(place: Int, answers: Int)] = []
  private var lines = AnswerLines()

  init(_ books: ReviewedBooks, pictures: any SpinePictures) {
    self.books = books
    self.pictures = pictures
    actions = ReviewActions(books.library, ReviewVoice(isSilent: true))
  }

  mutating func run() async throws {
    while let screen = try await nextScreen() {
      for part in screen.parts(of: books.ids.count) { part.write() }
      guard let line = ask(screen) else { break }
      let answer = ScreenAnswer(line, of: screen.entries.count)
      if answer == .quit { break }
      try await take(answer, screen)
    }
    try await actions.end(books.certainty)
  }

  /// Reads a line behind a prompt. Nil at the end of the input.
  private mutating func ask(_ screen: ReviewScreen) -> String? {
    Terminal.say(screen.question(isUnlikely: isUnlikely))
    Terminal.write(Array("> ".utf8), to: STDOUT_FILENO)
    return lines.next()
  }

  /// Whether Enter says that the books of a screen are none.
  private var isUnlikely: Bool { books.certainty == .unlikely && !books.isNamed }

  /// Returns as many of the next books as fit into the window, at least one. Nil if none is left.
  private func nextScreen() async throws -> ReviewScreen? {
    var screen = ReviewScreen(TerminalWindow(STDOUT_FILENO))
    for place in place..<books.ids.count {
      guard let details = try await books.waiting(at: place) else { continue }
      let picture = try await books.picture(details)
      let row = picture.flatMap { pictures.strip($0, columns: screen.columns, rows: screen.pictureRows) }
      guard screen.add(details, picture, row, at: place) else { break }
    }
    guard !screen.entries.isEmpty else { return nil }
    screen.note = pictures.keep(screen.entries.map(\.jpeg))
    return screen
  }

  private mutating func take(_ answer: ScreenAnswer, _ screen: ReviewScreen) async throws {
    switch answer {
    case .help, .quit: Terminal.tell(ScreenAnswer.legend)
    case .back: try await goBack()
    case .skip:
      let all = screen.entries.indices.map { ($0 + 1, ScreenAnswer.Mark.skip) }
      try await take(Dictionary(uniqueKeysWithValues: all), screen)
    case .named(let marks): try await take(marks, screen)
    }
  }

  private mutating func take(_ marks: [Int: ScreenAnswer.Mark], _ screen: ReviewScreen) async throws {
    screens.append((screen.entries.first?.place ?? place, actions.count))
    let before = actions.tally
    for (index, entry) in screen.entries.enumerated() {
      let mark = marks[index + 1] ?? (isUnlikely ? .noBook : .right)
      if let answer = mark.answer(entry.details.book),
        try await actions.accept(answer, entry.details.book, at: entry.place)
      {
        continue
      }
      try await edit(entry, number: index + 1)
    }
    place = (screen.entries.last?.place ?? place) + 1
    Terminal.say("  \((actions.tally - before).text(true)); u goes back")
  }

  /// Lets a person edit the name of a book until it can be stored. A line that is dropped leaves the book for later.
  private mutating func edit(_ entry: ReviewScreen.Entry, number: Int) async throws {
    let book = entry.details.book
    try ReviewVoice().show(ShownBook(entry.details), book, number: entry.place + 1, of: books.ids.count)
    if let jpeg = entry.jpeg { pictures.show(jpeg, of: book.id) }
    let name = book.author.isEmpty ? book.title : "\(book.title) / \(book.author)"
    let unchanged = LineEditor(name).text
    while true {
      let line = LineEditor.edit(name, prompt: "\(number)> ")
      let answer = line.map { $0 == unchanged ? .right : ReviewAnswerLine(edited: $0) } ?? .skip
      if answer == .help { Terminal.tell(ScreenAnswer.legend) }
      if try await actions.accept(answer, book, at: entry.place) { return }
    }
  }

  private mutating func goBack() async throws {
    guard let screen = screens.popLast() else { return Terminal.tell("there is no screen before this one") }
    while actions.count > screen.answers { guard try await actions.takeBack() != nil else { break } }
    place = screen.place
  }
}

extension ReviewActions.Tally {
  fileprivate static func - (left: Self, right: Self) -> Self {
    var rest = Self()
    for count in [\Self.confirmed, \.corrected, \.deleted, \.skipped, \.split, \.added] {
      rest[keyPath: count] = left[keyPath: count] - right[keyPath: count]
    }
    return rest
  }
}
