import ArgumentParser
import BookScan
import Console
import Harness
import Locking

struct ScanPhotos: RepeatsOptions {
  static let repeatedOptions: Set = ["--photos"]
  static let configuration = CommandConfiguration(
    commandName: "photos", abstract: "Read photographs of shelves.",
    usage: """
      swiftwing scan [--photos] FILE... [--level fast|accurate] [--json]
                     [--all]
                     [--recognizer-engine openvino|tesseract]
                     [--languages LANGUAGES] [--models FOLDER]
      """,
    discussion: """
      --photos may be left out: `scan a.jpg` is the same as `scan --photos a.jpg`.

      --json prints one object per photo, as soon as it is read: {"photo", "recognizer", "milliseconds", "cost", "lines": [{"text", "confidence", \
      "box", "angle"}], "books": [{"title", "author", "isbn", "confidence", "certainty", "box", "outline"}], "unlikely": [like books]}. Boxes are \
      [x, y, width, height] in pixels of the upright photo. Angles are degrees clockwise from upright. The title is empty if only \
      the barcode of a book was read. The confidence of a book is the probability that it stands on this shelf and its title is \
      right. The outline is the four corners of its spine, as far as known, from above the first letter clockwise around the text.

      The cost is processor seconds: {"decoding", "detection", "recognition", "secondScript", "spines"}.

      Each book is "sure" or, where a person should look at it, "doubtful". What is probably no book is under "unlikely".

      A photo that cannot be read, or that ends the recogniser's process twice, is reported on standard error. The others are \
      still read, and the exit status is 2. ^C ends at once with status 130; every line printed until then is complete.
      """)

  @Option(parsing: .upToNextOption, help: ArgumentHelp("JPEG or PNG files.", valueName: "FILE")) var photos:
    [String] = []
  @Argument(help: ArgumentHelp("The same, without --photos.", valueName: "FILE")) var files: [String] = []
  @Flag(help: "Print one JSON object per photo.") var json = false
  @Flag(help: "Show also what is probably no book; --json always has it.") var all = false
  @OptionGroup var options: RecognitionOptions

  /// In the order of the command line as far as it can be told: those without the option come last.
  var named: [String] { photos + files }

  func validate() throws {
    guard !named.isEmpty else { throw ValidationError("name the photographs to read") }
  }

  func run() throws {
    let done = Locked(0)
    let total = named.count
    let interrupts = Interrupts.Watch { _ in
      Terminal.end(
        with: "swiftwing: interrupted; \(done.withLock { $0 }) of \(total) photos read", Interrupts.status)
    }
    let failures = try withExtendedLifetime(interrupts) { try readAll(done) }
    if failures > 0 { throw ExitCode(.usage) }
  }

  /// - Returns: how many photos could not be read.
  private func readAll(_ done: Locked<Int>) throws -> Int {
    let worker = try options.makeWorker()
    var told: Set<String> = []
    var failures = 0
    for photo in named {
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
      "\(photo): \(FindingsText.books(findings.spines.count)), \(findings.lines.count) lines in \(Int(scan.milliseconds)) ms "
        + "by \(findings.recognizer)")
    for line in FindingsText.lines(findings, isAll: all) { Terminal.say(line) }
  }
}
