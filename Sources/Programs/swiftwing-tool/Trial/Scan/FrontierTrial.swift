import ArgumentParser
import BookScan
import Console
import Corpora
import EngineScenarios
import Harness
import Imagery
import System

/// What `photo.frontier` of the bench runs: a few stills at every size, read, and the size that is chosen for each. One JSON object.
struct FrontierTrialCommand: AsyncParsableCommand, RepeatsOptions {
  static let repeatedOptions: Set = ["--still"]
  static let configuration = CommandConfiguration(
    commandName: "frontier", abstract: "Read stills at every size, and print what each costs and keeps.")

  @Option(help: "The corpus of the stills.") var corpus = "stills-12mp"
  @Option(help: "How many stills, evenly over the corpus; not with --still.") var stills = 1
  @Option(help: "A still by the name of its file; may be repeated.") var still: [String] = []
  @Option(help: "The share of the words that the size chosen must keep, in percent.") var share = 98.0
  @OptionGroup var options: RecognitionOptions

  func run() async throws {
    do { try Terminal.say(line: try outcome()) } catch ScanError.unavailable {
      throw ExitCode(ScanTrialProgram.withoutReader)
    }
  }

  struct Outcome: Encodable {
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
    struct Still: Encodable {
      var name: String
      var width: Int
      var height: Int
      var words: Int
      var points: [Point]
      /// By the seed's profile.
      var choice: LegibleOutcome
    }
    var recognizer: String
    var profiles: [Profile]
    var stills: [Still]
  }

  private func outcome() throws -> Outcome {
    let worker = try options.makeWorker()
    let reader = LegibilityReader(worker: worker, level: options.level).remembering()
    let profiles = try TokenProfiles.known()
    let source = try Corpus.find(corpus, searching: CorpusRoots.standard())
    let names = try Self.stills(source)
    guard !names.isEmpty else {
      throw Failure("cannot measure \(corpus): it has no pictures that are files", .usage)
    }
    let count = min(max(stills, 1), names.count)
    let chosen = still.isEmpty ? (0..<count).map { names[$0 * names.count / count] } : still
    if let missing = chosen.first(where: { !names.contains($0) }) {
      throw Failure("cannot measure \(missing): \(corpus) has no such still", .usage)
    }
    return Outcome(
      recognizer: worker.name, profiles: profiles.map { .init(id: $0.id, title: $0.title) },
      stills: try chosen.map { try still($0, source, profiles: profiles, reader: reader) })
  }

  /// The frames that are pictures by themselves, from the first.
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

  private func still(
    _ name: String, _ source: Corpus, profiles: [TokenProfile], reader: LegibilityReader
  ) throws -> Outcome.Still {
    let (image, orientation, _) = try ImageFile.read(source.frame(name).bytes)
    let frontier = try TokenFrontier(image, orientation: orientation, profiles: profiles, reader: reader)
    let goal = LegibilityGoal(profile: try TokenProfiles.named(nil), share: share / 100)
    let (_, choice) = try LegibleChoice(goal, reader: reader)
      .photo(image, orientation: orientation, settings: PhotoSettings())
    let size = orientation.applied(to: image.format.size)
    return Outcome.Still(
      name: name.split(separator: "/").last.map(String.init) ?? name, width: size.width, height: size.height,
      words: frontier.words,
      points: frontier.points.map { Outcome.Point($0) }, choice: choice)
  }
}

extension FrontierTrialCommand.Outcome.Point {
  fileprivate init(_ point: TokenFrontier.Point) {
    self.init(
      profile: point.profile, width: point.size.width, height: point.size.height,
      seenWidth: point.seen.width, seenHeight: point.seen.height, tokens: point.tokens, kept: point.kept,
      bytes: point.bytes, milliseconds: point.milliseconds)
  }
}

extension LegibilityReader {
  /// Reads no picture twice: the engine's choice asks for some that the frontier has measured.
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
