import ArgumentParser
import BookScan
import Catalogue
import Console
import Harness
import ScanStation
import System

struct ScanPhotos: AsyncParsableCommand, RepeatsOptions {
  static let repeatedOptions: Set = ["--photos"]
  static let configuration = CommandConfiguration(
    commandName: "photos",
    abstract: "Read photographs of shelves: print their books, or put them into the library.",
    usage: """
      swiftwing scan [--photos] FILE|FOLDER... [--level fast|accurate] [--json]
                     [--all]
                     [--recognizer-engine openvino|tesseract]
                     [--languages LANGUAGES] [--models FOLDER]
                     [--catalogue FILE] [--page FILE]
                     [--holdings LIST] [--order ORDER] [--worklist FILE]
      swiftwing scan [--photos] FILE|FOLDER... --library [FOLDER] [--again]
                     [--location TEXT]
                     [--recognizer local|hybrid|backend] [--no-fallback]
                     [--server URL] [--patience SECONDS]
                     [--upload-size legible|N] [--budget PROFILE] [OPTIONS]
      """,
    discussion: """
      --photos may be left out: `scan a.jpg` is the same as `scan --photos a.jpg`. For a folder, all JPEG \
      and PNG files in it and in its subfolders are read, except hidden files and links. A file that is \
      named twice is read once.

      Without --library the books are only printed. With it they go into the library, each photograph once: \
      a photograph is recognised by its content, whatever the file is called. The same command continues an \
      interrupted run. --again reads known photographs once more, and the new result replaces the old one. \
      The library is $XDG_DATA_HOME/swiftwing if no folder follows; --library must then follow the \
      photographs. --location TEXT is the place of these shelves, such as "living room, 3"; `library list`, \
      `show`, the page of a review and exports show it. For known photographs, --location corrects the place \
      without reading them again. For --recognizer and the options after it see `swiftwing scan --help`.

      With --library, --json prints one object per line: {"event": "photo" | "known" | "same" | "unread" | \
      "book" | "delivered" | "progress" | ..., ...}, and at the end {"event": "end", "read", "known", \
      "copies", "failed", "new", "again", "books", "doubtful", "unlikely", "bookless", "booklessFiles"}. \
      "new" counts spines that no photo showed before, "again" spines that an earlier photo showed; \
      "books", "doubtful" and "unlikely" are the present numbers of the library; "bookless" counts the \
      photographs on which no book was found, and "booklessFiles" names the first ten.

      Without it, --json prints one object per photo, as soon as it is read: {"photo", "recognizer", \
      "milliseconds", "cost", "size": [width, height], "lines": [{"text", "confidence", "box", "angle"}], \
      "books": [{"title", "author", "isbn", "confidence", "fieldsConfidence", "certainty", "box", "outline", \
      "parts": [{"role": title|author|other, "text", "probability"}]}], "unlikely": [like books]}. Boxes are \
      [x, y, width, height] in pixels of the upright photo, whose size is "size": a photo of more than 50 \
      megapixels is read from a smaller copy, and all pixels are those of the copy. Angles are degrees \
      clockwise from upright. The title is empty if only the barcode of a book was read. The confidence of a \
      book is the probability that the book stands on this shelf and that the words of its title were read. \
      fieldsConfidence is the probability that title and author are both right, each in its field; a book is \
      sure if this is so high that both should be right in 90 of 100 cases (85 with --level fast). The \
      outline is the four corners of the spine, as far as known, from above the first letter clockwise \
      around the text.

      The cost is in processor seconds: {"decoding", "detection", "recognition", "secondScript", "spines"}.

      Each book is "sure" or, if a person should check it, "doubtful". Text that is probably no book is \
      under "unlikely".

      --page writes one HTML file that needs no network: each photograph with its spines outlined and \
      numbered, and beside it a crop of each spine with the text that was read; spines that a person should \
      check come first. The page has at most 50 photographs. It is written when all are read; ^C writes \
      none.

      --holdings LIST compares the shelves with a list of their books, a table with columns such as title, \
      author and call number, or MARC 21: the result names missing books, misplaced books, and books that \
      are not in the list. A book is missing only if its neighbours were read and no spine between them was \
      left unread. --order is the order of the shelves: dewey, congress, mark (marks of your own), author, \
      or list (the order of the list). --worklist FILE writes the tasks as CSV; --page shows them above the \
      photographs, --json as a last object {"holdings", "order", "counts", "tasks": [{"task", "mark", \
      "title", "author", "isbn", "spot": {"photo", "row", "book"}, "behind", "before"}]}.

      With --catalogue each book also has "catalogue", the book of the catalogue that fits: {"title", \
      "author", "isbn", "score"}, or null if none fits well. The text that was read is kept beside it. With \
      --library too, the library gets the catalogue's name.

      A photo that cannot be read, or that ends the recogniser's process twice, is reported on standard \
      error. The others are still read, and the exit status is 2. ^C ends at once with status 130; every \
      line printed until then is complete.
      """)

  @Option(
    parsing: .upToNextOption, help: ArgumentHelp("JPEG or PNG files, or folders of them.", valueName: "FILE"))
  var photos: [String] = []
  @Argument(help: ArgumentHelp("The same, without --photos.", valueName: "FILE")) var files: [String] = []
  @Option(
    help: ArgumentHelp(
      "Put the books into the library in this folder; by default $XDG_DATA_HOME/swiftwing.",
      valueName: "FOLDER"))
  var library: LibraryChoice?
  @Flag(help: "Read photographs again that are already in the library.") var again = false
  @OptionGroup var place: ShelfLocation
  @Flag(help: "Print one JSON object per photo, or per event with --library.") var json = false
  @Flag(help: "Also show text that is probably no book; --json always includes it.") var all = false
  @Option(
    help: ArgumentHelp("Write an HTML page with the photographs and what was read.", valueName: "FILE"))
  var page: String?
  @OptionGroup var ways: WayOptions
  @OptionGroup var options: RecognitionOptions
  @OptionGroup var catalogue: CataloguePlace
  @OptionGroup var shelf: HoldingsOptions

  /// The photographs, roughly in the order of the command line: files without the option come last.
  var named: [String] { photos + files }

  func validate() throws {
    guard !named.isEmpty else { throw ValidationError("name the photographs to read") }
    if all, library != nil {
      throw ValidationError(
        "--all applies to printed books; see `swiftwing library list --help` for what is in a library")
    }
    if page != nil, library != nil {
      throw ValidationError(
        "--page cannot be combined with --library; leave one of the two out")
    }
    if shelf.holdings != nil, library != nil {
      throw ValidationError(
        "--holdings cannot be combined with --library; leave one of the two out")
    }
    if let page, let worklist = shelf.worklist, Destination.areOne(page, worklist) {
      throw ValidationError("--worklist \(worklist) is also the file of --page; name another")
    }
    guard library == nil else { return }
    if again { throw ValidationError("--again is about photographs in the library; add --library") }
    if place.location != nil { throw ValidationError("--location is kept in the library; add --library") }
    if let option = ways.firstOption {
      throw ValidationError("\(option) needs the queue of a library; add --library")
    }
  }

  func run() async throws {
    Interrupts.keep()
    _ = try TokenProfiles.named(ways.budget)
    let search = PhotographSearch(named)
    try FolderNotes.check(search, named)
    FolderNotes.tell(search)
    guard let library else { return try print(search.photographs.map(\.path)) }
    let folder = try library.directory()
    let photographs = search.photographs.map { photograph in
      var photograph = photograph
      photograph.location = place.location
      return photograph
    }
    try await PhotographRun(photographs, again: again, library: folder, json: json)
      .run(ways, options, catalogue: catalogue)
  }

  /// Reads and prints the photographs. Stores nothing.
  private func print(_ photos: [String]) throws {
    let done = Locked(0)
    let total = photos.count
    let interrupts = Interrupts.Watch { _ in
      Terminal.end(
        with: "swiftwing: interrupted; \(done.withLock { $0 }) of \(total) photos read", Interrupts.status)
    }
    let failures = try withExtendedLifetime(interrupts) { try readAll(photos, done) }
    if failures < total { Terminal.tell("nothing was put into a library; add --library for that") }
    if failures > 0 { throw ExitCode(.usage) }
  }

  /// Reads and prints the photographs.
  /// - Returns: the number of photos that could not be read.
  private func readAll(_ photos: [String], _ done: Locked<Int>) throws -> Int {
    let lists = [shelf.holdings, self.catalogue.named].compactMap(\.self)
    let catalogue = try self.catalogue.openIfNamed()
    var drawn = try page.map { try ScanPageOutput($0, madeOf: photos, lists) }
    var compared = try HoldingsRun(shelf, madeOf: photos + lists)
    let worker = try options.makeWorker()
    var told: Set<String> = []
    var failures = 0
    var bookless = BooklessPhotographs()
    for photo in photos {
      do {
        let scan = try PhotoScan(file: photo, worker: worker, level: options.level)
        try show(
          photo, scan, names: try catalogue.map { try CatalogueName.all(of: scan.findings.spines, in: $0) })
        try drawn?.add(photo, scan.findings)
        compared?.add(photo, scan.findings)
        if scan.findings.spines.isEmpty { bookless.add(photo) }
        for note in scan.findings.notes where told.insert(note).inserted { Terminal.tell("note: \(note)") }
        done.withLock { $0 += 1 }
      } catch {
        failures += 1
        let reason = error is PhotoFileError ? "\(error)" : "\(photo): \(error)"
        Terminal.tell("swiftwing: \(reason)")
        drawn?.fail(reason)
      }
    }
    if let compared, failures < photos.count {
      let worklist = try compared.finish(json: json)
      drawn?.add(worklist)
    }
    try drawn?.write()
    let remedy = options.level == .fast ? "without --level fast" : nil
    for line in bookless.lines(remedy: remedy) { Terminal.tell(line) }
    return failures
  }

  /// Prints one photograph.
  /// - Parameter names: the catalogue's names of the books; nil if there is no catalogue.
  private func show(_ photo: String, _ scan: PhotoScan, names: [CatalogueName?]?) throws {
    if json {
      var document = FindingsDocument(photo: photo, scan: scan)
      if let names { document.take(names) }
      return Terminal.say(document: try document.text())
    }
    let findings = scan.findings
    Terminal.say(
      "\(photo): \(FindingsText.books(findings.spines.count)), \(findings.lines.count) lines in \(Int(scan.milliseconds)) ms "
        + "by \(findings.recognizer)")
    for line in FindingsText.lines(findings, isAll: all, names: names) { Terminal.say(line) }
  }
}
