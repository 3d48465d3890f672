import ArgumentParser
import Console
import Foundation
import Glibc
import Library
import System

struct LibraryReview: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "review", abstract: "Go through the doubtful books, or the unlikely ones, one by one.",
    usage: """
      swiftwing library review [--unlikely] [--page FILE] [--library PATH]
                               [--json]
      """,
    discussion: """
      Answer with one line per book: Enter or y if it is right; the right title, which keeps the author, or \
      title / author, or title / without an author, or / author alone; an ISBN; two titles with | between them if the record is two books; + and a title if a \
      book behind it was not read; e to edit title and author as a line, on a terminal; x to swap them; d if \
      it is not a book; s to skip it; u to undo the last answer; q to end; \
      ? for help. A title of one letter is written as =T. Each answer is saved at once. Answers may come \
      from a pipe.

      The review ends after the doubtful books, and tells how many unlikely ones there are; --unlikely \
      reviews those.

      The spine is drawn if the terminal shows pictures (kitty's protocol, sixels, or half blocks in 24-bit \
      colour), as large as the window allows. On any terminal its picture is also written to a file, whose \
      name is printed and which is deleted at the end.
      """)

  @Option(
    help: ArgumentHelp(
      "Write the books with their pictures as one HTML page instead, with the commands to answer by.",
      valueName: "FILE")) var page: String?
  @Flag(help: "Review the books that are probably none, instead of the doubtful ones.") var unlikely = false
  @OptionGroup var place: LibraryPlace
  @Flag(help: "Print JSON, one object a line.") var json = false

  func run() async throws {
    let library = try place.open().library
    if let page { return try await write(page, of: library) }
    let pictures = self.pictures
    let voice = ReviewVoice(isJSON: json)
    var session = ReviewSession(library, certainty, voice: voice, pictures: pictures)
    let watch = Interrupts.Watch { _ in
      pictures.clear()
      Terminal.end(with: "swiftwing: interrupted; what was answered is kept", Interrupts.status)
    }
    defer { watch.end() }
    defer { pictures.clear() }
    try await session.run()
    if !json, let hint = try await unlikelyHint(library) { Terminal.tell(hint) }
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
    return kind == .none ? PictureFiles() : DrawnPictures(kind)
  }

  private func write(_ path: String, of library: Library) async throws {
    let destination = try Destination(path, option: "--page", madeOf: place.files())
    let option = try place.wholeOption()
    var page = ReviewPage(option, unlikely: unlikely ? 0 : try await library.countToReview(.unlikely))
    for id in try await library.booksToReview(certainty) {
      guard page.hasRoom else {
        page.left += 1
        continue
      }
      guard let details = try? await library.details(of: [id]).first else { continue }
      page.add(details, picture: try await library.picture(of: id))
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
