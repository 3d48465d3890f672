import BookScan
import Foundation
import ScanStation

/// The line of JSON that `scan score --features` writes for one photo: the features of each record, and the titles of the photo. The
/// confidence model is fitted to these lines.
struct FeatureDocument: Encodable {
  struct Record: Encodable {
    var text: String
    /// The probability by the current model, 0…1.
    var probability: Double
    var certainty: Certainty
    /// The indices, from 0, of the photo's titles that the record holds. The record is right if it pairs off with one of these titles.
    var titles: [Int]
    var features: [String: Double]
    var words: [MeasuredWord]
    var inks: [[Double]]
  }

  struct Spine: Encodable {
    var title: String
    var author: String?
  }

  var photo: String
  var isComplete: Bool
  /// The number of spines whose title has words.
  var titles: Int
  /// The spines that the indices of `Record.titles` refer to.
  var spines: [Spine]
  var records: [Record]

  /// Measures a photo.
  /// - Throws: the errors of reading and decoding the file.
  init(_ truth: ShelfTruth.Photo, file: String, lines: [TextLine], level: RecognitionLevel) throws {
    let judged = BookScanner.measured(
      in: try UprightPhoto(file: Photograph.contents(file)), lines: lines, level: level)
    let score = ShelfScore(truth, lines: [], books: judged.map { ($0.finding.title, $0.finding.author) })
    photo = truth.file
    isComplete = truth.complete
    titles = score.titles
    spines = truth.spines.compactMap { spine in
      guard let title = spine.title, !TitleScore.titleWords(title).isEmpty else { return nil }
      return Spine(title: title, author: spine.author)
    }
    records = zip(judged, score.titlesOfBook).map { record, titles in
      Record(
        text: [record.finding.title, record.finding.author].compactMap { $0 }.joined(separator: " / "),
        probability: record.finding.confidence, certainty: record.finding.certainty, titles: titles,
        features: Dictionary(uniqueKeysWithValues: record.features.map { ($0.key.rawValue, $0.value) }),
        words: record.words, inks: record.inks)
    }
  }

  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
