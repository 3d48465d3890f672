import ArgumentParser
import Console
import Foundation
import Glibc
import Harness
import Library
import System

struct LibraryReview: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "review",
    abstract: "Go through the doubtful books, the unlikely ones, or others.",
    usage: """
      swiftwing library review [ID... | --unlikely] [--page FILE]
                               [--answers FILE] [--library PATH] [--json]
      """,
    discussion: """
      A terminal shows several books at a time, with their numbers. Enter says that all of them are right. \
      Otherwise name those that are wrong, and the others are right: 3 to edit the line of book 3, 3d if it \
      is not a book, 3x to swap title and author, 3- to drop the last word, 3s to leave it for later; \
      several in one line, such as 3 5d. u goes back one screen and takes its answers back, s leaves the \
      screen for later, q ends, ? lists all answers. With --unlikely, Enter says that none of them is a book.

      From a pipe, and with --json, the books are asked for one by one, each answered by one line: nothing \
      or y if it is right; the right title, which keeps the author, or title / author, or title / without an \
      author, or / author alone; an ISBN; two titles with | between them if the record is two books; + and a \
      title if a book behind it was not read; x, d, s, u and q as above. A title of one letter is written as \
      =T. Each answer is saved at once.

      --page FILE writes a page to answer in a browser, which saves the answers as a file. --answers FILE \
      carries them out: each line is the id of a book and an answer as above.

      The review ends after the doubtful books, and tells how many unlikely ones there are; --unlikely \
      reviews those.

      The spines are drawn if the terminal shows pictures (kitty's protocol, sixels, or half blocks in \
      24-bit colour, but these not if NO_COLOR is set). On other terminals the pictures are written to \
      files, whose names are printed and which are deleted at the end.
      """)

  @Argument(
    help: ArgumentHelp(
      "Review these books, whatever their certainty is; ids, as `library list` shows them.", valueName: "ID"))
  var ids: [BookNumber] = []
  @Option(
    help: ArgumentHelp(
      "Write the books with their pictures as one HTML page instead, to be answered in a browser.",
      valueName: "FILE"))
  var page: String?
  @Option(help: ArgumentHelp("Carry out the answers of a file instead.", valueName: "FILE")) var answers:
    String?
  @Flag(help: "Review the books that are probably none, instead of the doubtful ones.") var unlikely = false
  @OptionGroup var place: LibraryPlace
  @Flag(help: "Print JSON, one object a line.") var json = false

  func validate() throws {
    guard [!ids.isEmpty, unlikely, answers != nil].count(where: \.self) <= 1 else {
      throw ValidationError("give only one of ids, --unlikely and --answers")
    }
    guard page == nil || answers == nil else { throw ValidationError("give --page or --answers, not both") }
  }

  func run() async throws {
    let library = try place.open().library
    if let answers { return try await carryOut(answers, in: library) }
    let books = try await ReviewedBooks(library, certainty, ids.map(\.id))
    if let page { return try await write(page, of: books) }
    let pictures = self.pictures
    let watch = Interrupts.Watch { _ in
      pictures.clear()
      Terminal.end(with: "swiftwing: interrupted; what was answered is kept", Interrupts.status)
    }
    defer { watch.end() }
    defer { pictures.clear() }
    if !json, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 {
      var review = ScreenReview(books, pictures: pictures)
      try await review.run()
    } else {
      var session = ReviewSession(books, voice: ReviewVoice(isJSON: json), pictures: pictures)
      try await session.run()
    }
    if !json, let hint = try await unlikelyHint(library) { Terminal.tell(hint) }
  }

  private func carryOut(_ path: String, in library: Library) async throws {
    let file = try AnswerFile(path: path)
    var actions = ReviewActions(library, ReviewVoice(isJSON: json, isSilent: !json))
    let isWhole = try await file.carryOut(&actions, of: path)
    try await actions.end(.doubtful)
    if !json, actions.changes > 0 {
      Terminal.tell("to take them back: `\(try place.command("library", "undo", "\(actions.changes)"))`")
    }
    guard isWhole else { throw ExitCode(.failed) }
  }

  private var certainty: BookFinding.Certainty { unlikely ? .unlikely : .doubtful }

  /// Returns the number of unlikely books and the command that reviews them. Nil if this review is about them, or if there are none.
  private func unlikelyHint(_ library: Library, _ more: String...) async throws -> String? {
    let count = unlikely ? 0 : try await library.countToReview(.unlikely)
    guard count > 0 else { return nil }
    let command = try place.command((["library", "review", "--unlikely"] + more).joined(separator: " "))
    return "\(count) probably no \(count == 1 ? "book" : "books"): `\(command)`"
  }

  private var pictures: any SpinePictures {
    guard isatty(STDOUT_FILENO) == 1, !json else { return NoPictures() }
    let kind = TerminalPicture.detect(on: STDOUT_FILENO)
    // Half blocks are nothing but colour.
    let isColorless = !(ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    return kind == .none || kind == .halfBlocks && isColorless ? PictureFiles() : DrawnPictures(kind)
  }

  private func write(_ path: String, of books: ReviewedBooks) async throws {
    let library = books.library
    let destination = try Destination(path, option: "--page", madeOf: place.files())
    var page = ReviewPage(
      try place.wholeOption(), identity: try await library.identity(), of: certainty,
      unlikely: unlikely ? 0 : try await library.countToReview(.unlikely))
    for place in books.ids.indices {
      guard let details = try await books.waiting(at: place) else { continue }
      guard page.hasRoom else {
        page.left += 1
        continue
      }
      page.add(details, picture: try await books.picture(details))
    }
    do throws(SystemError) { try DurableFile.replace(path, with: Array(page.html.utf8)) } catch {
      throw DeliveryError(
        .storage, "write \(path)", reason: String(cString: strerror(error.code)),
        remedy: "check the folder and who may write to it")
    }
    destination.tellReplaced()
    if json {
      return try Terminal.say(
        json: Written(page: path, books: page.count, left: page.left, unlikely: page.unlikely))
    }
    Terminal.say("\(path): \(page.count == 1 ? "1 book" : "\(page.count) books") to look at")
    Terminal.tell("answer in a browser, then: `\(page.command)`")
    if page.left > 0 { Terminal.tell("\(page.left) more did not fit; answer these first") }
    if let hint = try await unlikelyHint(library, ShellCommand.option("--page", "unlikely.html")) {
      Terminal.tell(hint)
    }
  }

  private struct Written: Encodable {
    var page: String
    var books: Int
    var left: Int
    /// The unlikely books that are left for a review with `--unlikely`.
    var unlikely: Int
  }
}
