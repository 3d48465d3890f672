package import BookScan
import Corpora
package import EngineScenarios
import System

/// What `scan.recognition` of the bench runs: the recogniser on one photo and the bare network, by turns.
package struct RecognitionTrial {
  private let worker: RecognitionWorker
  private let floor: InferenceFloor
  private let photo: [UInt8]
  private let level: RecognitionLevel
  private let rounds: Int
  private let inferences: Int

  /// One reading takes about as long.
  private static let inferencesOfReading = 6.0

  /// - Parameters:
  ///   - worker: of the same models as `floor`.
  ///   - rounds: how often the photo is read.
  ///   - inferences: how often the network runs before each photo, and after it.
  package init(
    _ worker: RecognitionWorker, _ floor: InferenceFloor, level: RecognitionLevel, rounds: Int,
    inferences: Int
  ) throws {
    self.worker = worker
    self.floor = floor
    self.level = level
    self.rounds = rounds
    self.inferences = inferences
    photo = try Corpus.find("shelf-pan", searching: CorpusRoots.standard()).frame("frames/000100.jpg").bytes
  }

  package func outcome() throws -> RecognitionOutcome {
    // The first of each load what is missing, and are slower.
    _ = (try floor.infer(), try read(), try read())
    var outcome = RecognitionOutcome(recognizer: worker.name)
    outcome.proof = try floor.twice()
    for _ in 0..<max(rounds, 1) {
      let (result, network) = try round()
      outcome.lines = result.findings.lines.count
      outcome.ours.append(result.processorSeconds * 1000)
      outcome.floor.append(network * Self.inferencesOfReading * 1000)
    }
    return outcome
  }

  private func read() throws(ScanError) -> RecognitionWorker.Result {
    try worker.scan(photo, level: level)
  }

  /// The network on both sides of the photo, so that a machine that grows slower meanwhile does so to both.
  /// - Returns: what was read, and the processor seconds of one inference.
  private func round() throws -> (RecognitionWorker.Result, Double) {
    let half = max(inferences, 1)
    let before = try floor.infer(half)
    let result = try read()
    return (result, (before + (try floor.infer(half))) / Double(2 * half))
  }
}

extension InferenceFloor {
  fileprivate func infer(_ times: Int) throws(ScanError) -> Double {
    var sum = 0.0
    for _ in 0..<times { sum += try infer() }
    return sum
  }

  /// What the network takes that runs twice, of what it takes once: the median of three tries.
  fileprivate func twice() throws(ScanError) -> Double {
    var ratios: [Double] = []
    for _ in 0..<3 {
      let (before, twice, after) = (try infer(), try infer(2), try infer())
      ratios.append(twice / (before + after) * 2)
    }
    return ratios.sorted()[1]
  }
}
