import Bibliography
import Console
import Library
import System

/// A file of answers, one a line: the id of a book, and the answer to it as in a review. Empty lines and those that begin with `#` say nothing,
/// except the line that names the library.
struct AnswerFile: Equatable {
  struct Line: Equatable {
    /// The number of the line, from 1.
    var number: Int
    var id: Book.ID
    var answer: ReviewAnswerLine
  }

  /// The greatest size, bytes.
  private static let limit = 16_000_000
  /// The beginning of the line with the identity of the library, which prevents that its ids are taken for those of another one.
  static let libraryMark = "# library "

  private(set) var library: String?
  private(set) var lines: [Line] = []

  /// - Throws: `badInput` if the file cannot be read or is not UTF-8, or has a line that is no answer.
  init(path: String) throws(DeliveryError) {
    let bytes: [UInt8]
    do throws(RegularFile.Trouble) { bytes = try RegularFile.read(path, atMost: Self.limit) } catch {
      throw DeliveryError(
        .badInput, "read \(path)", reason: error.reason, remedy: "name a file with answers of a review")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw DeliveryError(
        .badInput, "read \(path)", reason: "it is not UTF-8", remedy: "save the answers as UTF-8")
    }
    try self.init(text, of: path)
  }

  init(_ text: String, of path: String) throws(DeliveryError) {
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let line = CleanText.line(String(line))
      if line.hasPrefix(Self.libraryMark) { library = String(line.dropFirst(Self.libraryMark.count)) }
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.split(separator: " ", maxSplits: 1)
      let answer = ReviewAnswerLine(parts.count > 1 ? String(parts[1]) : "")
      guard let id = Int64(parts[0]), id > 0, answer.isAboutABook else {
        throw DeliveryError(
          .badInput, "read \(path)",
          reason: "line \(index + 1) is no answer: \(CleanText.line(line, characters: 60))",
          remedy: "begin each line with the id of a book, followed by an answer such as d or Title / Author")
      }
      lines.append(Line(number: index + 1, id: id, answer: answer))
    }
  }

  /// Carries out the answers. One that does not suit the library is reported with its line; the others are carried out.
  /// - Returns: whether all were carried out.
  /// - Throws: `badInput` if the file belongs to another library.
  func carryOut(_ actions: inout ReviewActions, of path: String) async throws -> Bool {
    let identity = try await actions.library.identity()
    if let library, library != identity {
      throw DeliveryError(
        .badInput, "answer by \(path)", reason: "its answers are about another library",
        remedy: "name that library with --library")
    }
    var isWhole = true
    for line in lines {
      do {
        guard let book = try await actions.library.details(of: [line.id]).first?.book else { continue }
        _ = try await actions.take(line.answer, book, at: 0)
      } catch let error as DeliveryError where error.kind == .badInput {
        isWhole = false
        Terminal.tell("swiftwing: \(path), line \(line.number): \(error)")
      }
    }
    return isWhole
  }
}

extension ReviewAnswerLine {
  fileprivate var isAboutABook: Bool {
    switch self {
    case .right, .noBook, .skip, .swap, .correction, .several, .missing: true
    case .back, .quit, .help: false
    }
  }
}
