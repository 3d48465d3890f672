package import BookScan
import Corpora
package import Imagery
import System

/// The trial of the bench's scenario `photo.frontier`: reads some stills at every size, and the size that the solver chooses for
/// each.
package struct FrontierTrial: Sendable {
  private let reader: LegibilityReader
  private let profiles: [TokenProfile]
  private let goal: LegibilityGoal

  /// Prepares the trial.
  /// - Parameters:
  ///   - profiles: the token profiles by which the cost of each size is counted.
  ///   - goal: the share of the words that a photo must keep, and the tokens that it may cost; the solver chooses the size by them.
  package init(_ reader: LegibilityReader, profiles: [TokenProfile], goal: LegibilityGoal) {
    self.reader = reader.remembering()
    self.profiles = profiles
    self.goal = goal
  }

  package struct Outcome: Encodable, Sendable {
    struct Profile: Encodable {
      var id: String
      var title: String
    }
    struct Point: Encodable {
      var profile: String
      var width: Int
      var height: Int
      var seenWidth: Int
      var seenHeight: Int
      var tokens: Int
      var kept: Int
      var bytes: Int
      var milliseconds: Double
    }
    struct Choice: Encodable {
      var tokens: Int
      var kept: Int
      var words: Int
      var isKept: Bool
      var readings: Int
    }
    struct Still: Encodable {
      var name: String
      var width: Int
      var height: Int
      var words: Int
      var points: [Point]
      var choice: Choice
    }
    var recognizer: String
    var profiles: [Profile]
    var stills: [Still]
  }

  /// Measures stills of a corpus.
  /// - Parameters:
  ///   - corpus: the name or path of the corpus.
  ///   - stills: the number of stills, spread evenly over the corpus.
  ///   - named: the file names of the stills to measure instead, unless it is empty.
  package func outcome(_ corpus: String, stills: Int, named: [String]) throws -> Outcome {
    let source = try Corpus.find(corpus, searching: CorpusRoots.standard())
    let names = try Self.stills(source)
    func refusal(_ reason: String, _ remedy: String) -> CorpusError {
      CorpusError(.malformed, "measure \(corpus)", reason: reason, remedy: remedy)
    }
    guard !names.isEmpty else {
      throw refusal("it has no pictures that are files", "name a corpus of JPEG or PNG files")
    }
    let count = min(max(stills, 1), names.count)
    let chosen = named.isEmpty ? (0..<count).map { names[$0 * names.count / count] } : named
    if let missing = chosen.first(where: { !names.contains($0) }) {
      throw refusal("it has no still \(missing)", "name one by its path in the corpus, such as \(names[0])")
    }
    return Outcome(
      recognizer: reader.name, profiles: profiles.map { .init(id: $0.id, title: $0.title) },
      stills: try chosen.map { try still($0, source) })
  }

  /// Returns the files of the frames that are compressed pictures, from the first.
  private static func stills(_ corpus: Corpus) throws -> [String] {
    let track = try corpus.track()
    var names: [String] = []
    while let event = try track.next() {
      if case .frame(let frame) = event.kind, frame.encoding != .raw, names.count < 100_000 {
        names.append(frame.file)
      }
    }
    return names
  }

  private func still(_ name: String, _ source: Corpus) throws -> Outcome.Still {
    let (image, orientation, _) = try ImageFile.read(source.frame(name).bytes)
    let frontier = try TokenFrontier(image, orientation: orientation, profiles: profiles, reader: reader)
    let choice = try LegibilitySolver(goal, reader: reader).solve(image, orientation: orientation)
    let size = orientation.applied(to: image.format.size)
    return Outcome.Still(
      name: name.split(separator: "/").last.map(String.init) ?? name, width: size.width, height: size.height,
      words: frontier.words, points: frontier.points.map { Outcome.Point($0) },
      choice: Outcome.Choice(
        tokens: choice.chosen.tokens, kept: choice.chosen.kept, words: choice.words, isKept: choice.isKept,
        readings: choice.readings))
  }
}

extension FrontierTrial.Outcome.Point {
  fileprivate init(_ point: TokenFrontier.Point) {
    self.init(
      profile: point.profile, width: point.size.width, height: point.size.height,
      seenWidth: point.seen.width, seenHeight: point.seen.height, tokens: point.tokens, kept: point.kept,
      bytes: point.bytes, milliseconds: point.milliseconds)
  }
}

extension LegibilityReader {
  /// Returns the reader with a cache of its results, so that a picture that the frontier and the solver both measure is read once.
  fileprivate func remembering() -> LegibilityReader {
    let memory = Locked<[[UInt8]: [TextLine]]>([:])
    return LegibilityReader(name: name) { picture in
      if let lines = memory.withLock({ $0[picture] }) { return lines }
      let lines = try read(picture)
      memory.withLock { $0[picture] = lines }
      return lines
    }
  }
}
