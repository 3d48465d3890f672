import ArgumentParser
import Foundation
import Glibc
import System
import Testing

@testable import Library
@testable import swiftwing_tool

/// Reviews on a terminal, several books at a time.
@Suite struct ReviewScreenTests {
  @Test(
    arguments: [
      ("", .named([:])), (" y ", .named([:])), ("s", .skip), ("u", .back), ("Q", .quit), ("?", .help),
      ("3", .named([3: .edit])), ("3e", .named([3: .edit])), ("1D, 3x", .named([1: .noBook, 3: .swap])),
      ("2- 4--", .named([2: .shorter(1), 4: .shorter(2)])), ("1s 2y", .named([1: .skip, 2: .right])),
      ("0", .help), ("5", .help), ("3 3", .help), ("d", .help), ("3z", .help), ("3-d", .help), ("33", .help),
      ("Dune", .help), ("1 Dune", .help), ("٣", .help),
    ] as [(String, ScreenAnswer)])
  func linesAreUnderstood(line: String, answer: ScreenAnswer) {
    #expect(ScreenAnswer(line, of: 4) == answer)
  }

  @Test func theLastWordsOfTheAuthorOrElseOfTheTitleAreDropped() {
    let book = Book.sample(title: "Robust Python", author: "Viafore O'REILLY")
    #expect(ScreenAnswer.Mark.shorter(1).answer(book) == .correction(BookEdit(author: "Viafore")))
    #expect(ScreenAnswer.Mark.shorter(2).answer(book) == nil)
    let alone = Book.sample(title: "Robust Python", author: "")
    #expect(ScreenAnswer.Mark.shorter(1).answer(alone) == .correction(BookEdit(title: "Robust")))
  }

  /// The number of books on a screen. A picture of a spine has the rows that the window allows.
  @Test(arguments: [
    (80, 24, true, 6), (80, 24, false, 9), (80, 50, true, 7), (40, 12, true, 2), (20, 5, true, 1),
    (200, 60, false, 9),
  ])
  func aScreenFitsIntoTheWindow(columns: Int, rows: Int, isDrawn: Bool, count: Int) {
    var screen = ReviewScreen(columns: columns, rows: rows)
    var place = 0
    let strip = isDrawn ? SpineStrip(bytes: [], rows: screen.pictureRows) : nil
    while screen.add(.sample(.sample(title: "Robust Python", author: "Viafore")), nil, strip, at: place) {
      place += 1
    }
    #expect(place == count && screen.entries.count == count)
    let lines = screen.parts(of: 30).reduce(0) { $0 + ($1 == .picture([]) ? screen.pictureRows : 1) }
    #expect(count == 1 || lines + 4 <= rows, "\(lines)")
    #expect(columns < 40 || screen.parts(of: 30).contains(.line("in shelf & 3.jpg, row 2")))
  }

  @Test func aQuestionFitsOnTwoLinesAndSaysWhatEnterMeans() {
    var screen = ReviewScreen(columns: 80, rows: 24)
    _ = screen.add(.sample(.sample(title: "A", author: "")), nil, nil, at: 0)
    #expect(screen.question(isUnlikely: false).hasPrefix("Enter: it is right."))
    _ = screen.add(.sample(.sample(title: "B", author: "")), nil, nil, at: 1)
    #expect(screen.question(isUnlikely: false).hasPrefix("Enter: all are right."))
    #expect(screen.question(isUnlikely: true).hasPrefix("Enter: none is a book."))
    #expect(screen.question(isUnlikely: false).count <= 110)
  }

  @Test func enterConfirmsAScreenAndNumbersAreCorrected() async throws {
    let terminal = try await ReviewTerminal(
      books: ["Dracola", "Emma", "Sale", "Austen"], author: "Ann Author")
    try terminal.answer("2 3d 4x")
    #expect(terminal.screen.contains("1 to 4 of 4"))
    // Behind the name, a word is deleted and another one typed.
    try terminal.type("\u{17}Austen\r", before: "2> ")
    let output = try terminal.end()
    #expect(output.contains("1 confirmed, 2 corrected, 1 deleted; u goes back"), "\(output)")
    #expect(output.contains("1 confirmed, 2 corrected, 1 deleted, 0 skipped; 0 left"), "\(output)")
    #expect(
      try await terminal.names() == ["Ann Author / Austen", "Dracola / Ann Author", "Emma / Ann Austen"],
      "\(output)")
  }

  @Test func aScreenIsTakenBackAndLeftForLater() async throws {
    let titles = (1...12).map { "Book \($0)" }
    let terminal = try await ReviewTerminal(books: titles)
    try terminal.answer("1d 2")
    try terminal.type("\u{03}", before: "2> ")
    try terminal.answer("u")
    try terminal.answer("u")
    try terminal.answer("1 2 what")
    try terminal.answer("s")
    try terminal.answer("")
    let output = try terminal.end()
    #expect(output.contains("7 confirmed, 1 deleted, 1 skipped; u goes back"), "\(output)")
    #expect(output.contains("there is no screen before this one"), "\(output)")
    #expect(output.contains("3 confirmed, 0 corrected, 0 deleted, 9 skipped; 9 left"), "\(output)")
    #expect(try await terminal.names().count == 12)
  }

  @Test func enterSaysOfUnlikelyRecordsThatTheyAreNoBooks() async throws {
    let terminal = try await ReviewTerminal(
      books: ["FOR", "LIFE", "Emma"], certainty: .unlikely, ["--unlikely"])
    try terminal.answer("3y")
    let output = try terminal.end()
    #expect(output.contains("Enter: none is a book"), "\(output)")
    #expect(try await terminal.names() == ["Emma"], "\(output)")
  }

  /// Books are also reviewed that are sure, and a screen has as many as the window has room for now.
  @Test func namedBooksAreReviewedInANewWindow() async throws {
    let titles = (1...9).map { "Book \($0)" }
    let ids = (1...9).map(String.init)
    let terminal = try await ReviewTerminal(books: titles, certainty: .sure, ids, rows: 9)
    try terminal.answer("", rows: 40)
    #expect(terminal.screen.contains("1 to 4 of 9"), "\(terminal.screen)")
    try terminal.answer("1")
    try terminal.type("!\r", before: "1> ")
    let output = try terminal.end()
    #expect(output.contains("5 to 9 of 9"), "\(output)")
    #expect(try await terminal.names().contains("Book 5!"), "\(output)")
    #expect(try LibraryReview.parse(ids).ids.count == 9)
    #expect(throws: (any Error).self) { try LibraryReview.parse(["3", "--unlikely"]) }
    #expect(throws: (any Error).self) { try LibraryReview.parse(["--page", "a", "--answers", "b"]) }
  }
}

/// A review by the program on a terminal of its own.
private final class ReviewTerminal {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "screen-\(UUID().uuidString)")
    .path
  private let process: ChildProcess
  private let master: CInt
  private var heard = ""

  /// The text of the terminal so far.
  var screen: String { heard }

  init(
    books: [String], author: String = "", certainty: BookFinding.Certainty = .doubtful,
    _ options: [String] = [], rows: UInt16 = 24
  ) async throws {
    do {
      let library = try Store(directory: folder).library
      for title in books {
        try await library.add(
          BookFinding(title: title, author: author, confidence: 0.5, certainty: certainty))
      }
    }
    // TIOCSPTLCK unlocks the terminal, and TIOCGPTN reads its number (ioctl_tty(2)). The Glibc module lacks both.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number): (CInt, CInt) = (0, 0)
    guard master >= 0, ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw POSIXError(.ENODEV)
    }
    let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { throw POSIXError(.ENODEV) }
    defer { close(terminal) }
    Self.resize(master, rows)
    process = try ChildProcess(
      RunningProgram.sibling("swiftwing-tool"), ["library", "review", "--library", folder] + options,
      input: .descriptor(terminal), output: .descriptor(terminal), errors: .descriptor(terminal),
      environment: ["TERM": "dumb"])
  }

  deinit {
    close(master)
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func resize(_ master: CInt, _ rows: UInt16) {
    var window = winsize(ws_row: rows, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &window)
  }

  /// Answers the next question with a line.
  /// - Parameter rows: the height of the window from here on.
  func answer(_ line: String, rows: UInt16? = nil) throws {
    try wait(for: "\n> ")
    if let rows { Self.resize(master, rows) }
    try send(line + "\n")
  }

  /// Presses keys once a line with this prompt is edited.
  func type(_ keys: String, before prompt: String) throws {
    try wait(for: prompt)
    try send(keys)
  }

  /// Returns everything that the program wrote.
  func end() throws -> String {
    while let part = hear() { heard += part }
    #expect(process.wait().status == 0, "\(heard)")
    return heard
  }

  /// The names of all books, sorted.
  func names() async throws -> [String] {
    try await Store(directory: folder).library.books(limit: 99, .all).map(\.name).sorted()
  }

  private var read = 0

  /// Waits for a text behind the one for which it waited before.
  private func wait(for text: String) throws {
    while true {
      let rest = heard.unicodeScalars.dropFirst(read)
      let wanted = Array(text.unicodeScalars)
      for start in rest.indices where rest[start...].starts(with: wanted) {
        read = heard.unicodeScalars.distance(from: heard.unicodeScalars.startIndex, to: start) + wanted.count
        return
      }
      guard let part = hear() else {
        Issue.record("no \(text) in \(heard)")
        throw POSIXError(.EIO)
      }
      heard += part
    }
  }

  private func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard write(master, bytes, bytes.count) == bytes.count else { throw POSIXError(.EIO) }
  }

  /// Returns nil when the program has closed the terminal.
  private func hear() -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(master, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}

extension Book {
  static func sample(title: String, author: String) -> Book {
    Book(id: 5, title: title, author: author, addedAt: Date(timeIntervalSince1970: 0), certainty: .doubtful)
  }
}

extension BookDetails {
  static func sample(_ book: Book, reading: BookFinding.Reading = .init(title: "A")) -> BookDetails {
    BookDetails(
      book: book, copies: 1, seen: 1,
      sightings: [
        .init(
          scan: "a", finding: "b", reading: reading,
          place: PhotographPlace(number: 1, path: "/x/shelf & 3.jpg", row: 2, position: 7))
      ], hasPicture: true)
  }
}
