import ArgumentParser
import BookScan
import Console
import Foundation
import Library

struct LibraryShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything that is known about books.",
    usage: "swiftwing library show ID... [--library PATH] [--json]",
    discussion:
      "This includes how often each was read, in which photos and as what; the latest 200 sightings.")

  @Argument(help: ArgumentHelp("Ids, as `library list` shows them.", valueName: "ID")) var ids: [BookNumber]
  @OptionGroup var place: LibraryPlace
  @Flag(help: "Print JSON: a list of books.") var json = false

  func run() async throws {
    let books = try await place.open().library.details(of: ids.map(\.id)).map(ShownBook.init)
    if json { return try Terminal.say(json: books) }
    for (number, book) in books.enumerated() {
      if number > 0 { Terminal.say("") }
      for line in book.lines { Terminal.say(line) }
    }
  }
}

/// A book as `library show` and `library review` print it.
struct ShownBook: Encodable {
  struct Sight: Encodable {
    var scan: String
    var finding: String
    var spine: String?
    var title: String?
    var author: String?
    var confidence: Double?
    var deliveredAt: Date?
    var place: PhotographPlace?
  }

  private let book: Book
  private let copies: Int
  /// The number of times it was seen.
  private let seen: Int
  private let sightings: [Sight]
  private let hasPicture: Bool
  private let behind: Neighbour?
  private let before: Neighbour?

  struct Neighbour: Encodable {
    var id: Int64
    var title: String
    var author: String

    init(_ book: Book) { (id, title, author) = (book.id, book.title, book.author) }

    var text: String { BookName.text(title, author) }
  }

  init(_ details: BookDetails) {
    book = details.book
    copies = details.copies
    seen = details.seen
    hasPicture = details.hasPicture
    behind = details.behind.map(Neighbour.init)
    before = details.before.map(Neighbour.init)
    sightings = details.sightings.map { sight in
      let author = sight.reading?.author
      return Sight(
        scan: sight.scan, finding: sight.finding, spine: sight.spine, title: sight.reading?.title,
        author: author?.isEmpty == true ? nil : author, confidence: sight.confidence,
        deliveredAt: sight.deliveredAt, place: sight.place)
    }
  }

  private enum Key: String, CodingKey { case seen, photos, sightings, hasPicture, behind, before }

  /// Encodes the book as in `library list`, and its sightings.
  func encode(to encoder: any Encoder) throws {
    try BooksDocument.Entry(book, copies: copies, readings: readings.map(\.reading)).encode(to: encoder)
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(seen, forKey: .seen)
    try values.encode(sightings, forKey: .sightings)
    try values.encode(hasPicture, forKey: .hasPicture)
    try values.encodeIfPresent(behind, forKey: .behind)
    try values.encodeIfPresent(before, forKey: .before)
  }

  /// The readings without duplicates, with their counts, most frequent first.
  var readings: [(reading: BookFinding.Reading, times: Int)] {
    var times: [String: (reading: BookFinding.Reading, times: Int)] = [:]
    for sight in sightings {
      guard let title = sight.title else { continue }
      let reading = BookFinding.Reading(title: title, author: sight.author ?? "")
      times["\(title)\n\(reading.author)", default: (reading, 0)].times += 1
    }
    return times.sorted { ($1.value.times, $0.key) < ($0.value.times, $1.key) }.map(\.value)
  }

  /// The places where the book was seen, one for each photograph, in the order of the photographs.
  var places: [PhotographPlace] {
    var seen: Set<Int> = []
    return sightings.compactMap(\.place).sorted { $0.number < $1.number }.filter {
      seen.insert($0.number).inserted
    }
  }

  /// The name, or the ISBN or a remark for a missing title.
  var name: String { BookName.text(book.title, book.author, without: book.isbn ?? "(title not read)") }

  var lines: [String] {
    facts.map { "\($0.name.padded(to: 11))\($0.value)" }
      + places.compactMap(\.path).map { "\("photograph".padded(to: 11))\(PlainText.printable($0))" }
      + [("behind", behind), ("before", before)].compactMap { name, book in
        book.map { "\(name.padded(to: 11))\($0.text)" }
      }
      + readings.map { "\("read".padded(to: 11))\(Self.text($0.reading)) (\($0.times)×)" }
      + sightings.map { "\("seen".padded(to: 11))\(Self.text($0))" }
  }

  private var facts: [(name: String, value: String)] {
    let entry = BooksDocument.Entry(book, copies: copies)
    let facts: [(String, String?)] = [
      ("id", "\(book.id)"), ("title", book.title), ("author", book.author), ("ISBN", book.isbn),
      ("format", book.format), ("cover", book.coverURL), ("added", entry.day), ("certainty", standing),
      ("copies", copies > 1 ? "\(copies)" : nil), ("seen", seen == 1 ? "once" : "\(seen) times"),
    ]
    return facts.compactMap { name, value in
      value.flatMap { $0.isEmpty ? nil : (name: name, value: PlainText.printable($0)) }
    }
  }

  /// The certainty and the confidence, such as `doubtful, 62 %`.
  var standing: String {
    let percent = book.spineConfidence.map { ", \(Int(($0 * 100).rounded())) %" } ?? ""
    let word =
      book.confirmedAt != nil ? "confirmed" : book.certainty.map { Certainty($0).label } ?? "not judged"
    return word + percent
  }

  static func text(_ reading: BookFinding.Reading) -> String { BookName.text(reading.title, reading.author) }

  private static func text(_ sight: Sight) -> String {
    let time = sight.deliveredAt.map { "\($0.formatted(.iso8601)) " } ?? ""
    let percent = sight.confidence.map { ", \(Int(($0 * 100).rounded())) %" } ?? ""
    let spine = sight.spine.map { ", spine \($0)" } ?? ""
    let place = sight.place.map { "\($0.text); " } ?? ""
    return "\(place)\(time)scan \(sight.scan)\(spine)\(percent)"
  }
}

extension Certainty {
  /// Converts a certainty. A book that was not judged counts as sure.
  init(_ certainty: BookFinding.Certainty?) {
    switch certainty {
    case .sure, nil: self = .sure
    case .doubtful: self = .doubtful
    case .unlikely: self = .unlikely
    }
  }
}
