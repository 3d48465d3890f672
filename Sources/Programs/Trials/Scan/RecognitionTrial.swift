package import BookScan
import Corpora
package import EngineScenarios

/// The trial of the bench's scenario `scan.recognition`: alternates between the recogniser on one photo and the bare network.
package struct RecognitionTrial {
  private let worker: RecognitionWorker
  private let floor: InferenceFloor
  private let photo: [UInt8]
  private let level: RecognitionLevel
  private let rounds: Int
  private let inferences: Int

  /// The number of inferences that take about as long as one reading.
  private static let inferencesOfReading = 6.0

  /// Loads the photo.
  /// - Parameters:
  ///   - worker: a worker with the same models as `floor`.
  ///   - rounds: the number of readings of the photo.
  ///   - inferences: the number of inferences before each reading, and after it.
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
    // The first runs load what is missing and are slower, so they are not measured.
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

  /// Measures one reading, with the network before and after it, so that a machine that slows down meanwhile slows both.
  /// - Returns: the reading, and the processor seconds of one inference.
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

  /// Returns the processor time of two inferences as a multiple of one: the median of three tries.
  fileprivate func twice() throws(ScanError) -> Double {
    var ratios: [Double] = []
    for _ in 0..<3 {
      let (before, twice, after) = (try infer(), try infer(2), try infer())
      ratios.append(twice / (before + after) * 2)
    }
    return ratios.sorted()[1]
  }
}
