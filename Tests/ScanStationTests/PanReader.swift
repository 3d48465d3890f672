import BookScan
import Corpora
import Foundation
import Imagery

@testable import ScanStation

/// The corpora bundled with the package; they may not be checked out.
enum Bundled {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Corpus").standardized.path

  static func corpus(_ name: String) throws -> Corpus { try Corpus.find(name, searching: [root]) }
}

/// Reads spines from the ground truth with a recogniser's mistakes: wrong letters, missing authors, titles joined with authors, and
/// spines cut off at the photo's edge.
struct TruthReader: Sendable {
  let truth: CorpusTruth
  let size: PixelSize
  /// On average, one of `errors` readings has a wrong letter in each word of five letters or more; 0 for no errors.
  var errors = 3

  init(_ corpus: Corpus) throws {
    truth = try corpus.truth() ?? CorpusTruth()
    size = corpus.manifest.size
  }

  /// A spine as read in a frame, and its index in the ground truth.
  struct Read {
    var index: Int
    var spine: SpineFinding
    var isWhole: Bool
  }

  func read(_ file: String, variant: Int = 0, width: Int? = nil) -> [Read] {
    let width = Double(width ?? size.width)
    return truth.spines(in: file).enumerated().compactMap { index, spine -> Read? in
      let isStanding = spine.textAngle == 90 || spine.textAngle == 270
      let (across, along) = (0.25, 0.08)
      let box = spine.box
      let text = TruthBox(
        x: box.x + box.width * (isStanding ? across : along),
        y: box.y + box.height * (isStanding ? along : across),
        width: box.width * (1 - 2 * (isStanding ? across : along)),
        height: box.height * (1 - 2 * (isStanding ? along : across)))
      let left = max(0, text.x)
      let right = min(width, text.x + text.width)
      guard right - left > 0.3 * text.width else { return nil }
      let isWhole = left == text.x && right == text.x + text.width
      return Read(
        index: index,
        spine: finding(
          spine, Box(x: left, y: text.y, width: right - left, height: text.height),
          share: (right - left) / text.width, file, variant),
        isWhole: isWhole)
    }
  }

  private func finding(
    _ spine: CorpusTruth.Spine, _ box: Box, share: Double, _ file: String, _ variant: Int
  ) -> SpineFinding {
    let dice = Self.hash("\(spine.title)\(file)\(variant)")
    var (title, author): (String, String?) = (spine.title, spine.author)
    if errors > 0, dice % UInt64(errors) == 0 { title = Self.misread(title, dice) }
    if errors > 0, dice % 7 == 1 { author = nil }
    if errors > 0, dice % 7 == 2 { (title, author) = ("\(title) \(spine.author)", nil) }
    if share < 1 { title = String(title.prefix(max(2, Int(Double(title.count) * share)))) }
    return SpineFinding(
      title: title, author: author, confidence: 0.9 + Double(dice % 100) / 1000, box: box,
      angle: Double(spine.textAngle))
  }

  private static func misread(_ text: String, _ dice: UInt64) -> String {
    text.split(separator: " ").map { word in
      guard word.count >= 5 else { return String(word) }
      var letters = Array(word)
      letters[Int(dice % UInt64(letters.count))] = "n"
      return String(letters)
    }.joined(separator: " ")
  }

  /// Returns the FNV-1a hash, which is the same in every run, unlike Swift's.
  static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

extension Corpus {
  /// Returns the luma of a frame, rotated upright.
  func luma(_ file: String) throws -> PixelBuffer {
    let (image, orientation, _) = try ImageFile.read(frame(file).bytes)
    return try UprightPhoto(image, orientation: orientation).luma()
  }
}
