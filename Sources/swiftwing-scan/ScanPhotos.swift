import ArgumentParser
import BookScan
import Console
import Locking

struct ScanPhotos: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photos", abstract: "Read photographs of shelves (the default).",
    usage: "swiftwing scan --photos <FILE> ... [<options>]",
    discussion: """
      With --json one object a photo, as it is done: {"photo", "recognizer", "milliseconds", "lines": [{"text", "confidence", \
      "box", "angle"}], "books": [{"title", "author", "isbn", "confidence", "box"}]}. Boxes are [x, y, width, height] in pixels \
      of the upright photo; angles are degrees clockwise from upright. The title of a book of which only the barcode was read is empty. A photo that cannot be read, or that ends the recogniser's process \
      twice, is told on standard error, the rest go on, and the exit status is 2. ^C ends at once with status 130; what was printed until then is whole.
      """)

  @Option(parsing: .upToNextOption, help: ArgumentHelp("JPEG or PNG files.", valueName: "FILE")) var photos:
    [String]
  @Flag(help: "Print what was found as JSON, one object a photo.") var json = false
  @OptionGroup var options: RecognitionOptions

  func run() throws {
    let done = Locked(0)
    let total = photos.count
    let interruption = Interruption {
      Terminal.end(
        with: "swiftwing: interrupted; \(done.withLock { $0 }) of \(total) photos read", Interruption.status)
    }
    let failures = try withExtendedLifetime(interruption) { try readAll(done) }
    if failures > 0 { throw ExitCode(2) }
  }

  /// - Returns: how many photos could not be read.
  private func readAll(_ done: Locked<Int>) throws -> Int {
    let worker = try options.makeWorker()
    var told: Set<String> = []
    var failures = 0
    for photo in photos {
      do {
        let scan = try PhotoScan(file: photo, worker: worker, level: options.level)
        try show(photo, scan)
        for note in scan.findings.notes where told.insert(note).inserted { Terminal.tell("note: \(note)") }
        done.withLock { $0 += 1 }
      } catch {
        failures += 1
        let isNamed = error is PhotoFileError
        Terminal.tell(isNamed ? "swiftwing: \(error)" : "swiftwing: \(photo): \(error)")
      }
    }
    return failures
  }

  private func show(_ photo: String, _ scan: PhotoScan) throws {
    if json { return Terminal.say(document: try FindingsDocument(photo: photo, scan: scan).text()) }
    let findings = scan.findings
    Terminal.say(
      "\(photo): \(findings.spines.count) books, \(findings.lines.count) lines in \(Int(scan.milliseconds)) ms "
        + "by \(findings.recognizer)")
    for spine in findings.spines {
      let author = spine.author.map { " / \($0)" } ?? ""
      let isbn = spine.isbn.map { "  ISBN \($0)" } ?? ""
      let title = spine.title.isEmpty ? "(title not read)" : spine.title
      Terminal.say("  \(Int((spine.confidence * 100).rounded())) %  \(title)\(author)\(isbn)")
    }
  }
}
