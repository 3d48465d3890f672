import BookScan
import Foundation
import Harness
import Imagery
import System

/// The cost of recognition in another process. Each photo is read in this process, in the worker process, and by a process that only
/// receives it, in turn. All figures are medians.
struct WorkerCost: Encodable {
  var photos: Int
  var readHere: Double
  var readThere: Double
  /// The time to pass the file to the process and the answer back, without reading.
  var passedOnly: Double
  var processorSecondsThere: Double

  /// Measures the photos.
  /// - Parameters:
  ///   - files: the photos. Each is read once before measuring, so that work that is done only for the first reading is not measured.
  ///   - rounds: the number of measured rounds, at least 1.
  init(files: [String], rounds: Int) throws {
    let scanner = BookScanner(recognizer: try RecognizerChoice().makeRecognizer().recognizer)
    let worker = try RecognitionWorker()
    let idle = try RecognitionWorker(ScriptedReader.settings)
    var (here, there, passed, seconds) = ([Double](), [Double](), [Double](), [Double]())
    for round in 0...max(rounds, 1) {
      for file in files {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
        let times = [
          try Self.time {
            let (image, orientation, _) = try ImageFile.read(bytes)
            _ = try scanner.scan(image, orientation: orientation, level: .accurate)
          },
          try Self.time { seconds.append(try worker.scan(bytes, level: .accurate).processorSeconds) },
          try Self.time { _ = try idle.scan(bytes, level: .accurate) },
        ]
        guard round > 0 else { continue }
        here.append(times[0])
        there.append(times[1])
        passed.append(times[2])
      }
    }
    photos = here.count
    readHere = Summary(here)?.median ?? 0
    readThere = Summary(there)?.median ?? 0
    passedOnly = Summary(passed)?.median ?? 0
    processorSecondsThere = Summary(seconds)?.median ?? 0
  }

  private static func time(_ body: () throws -> Void) rethrows -> Double {
    let began = MonotonicTime.now()
    try body()
    return (MonotonicTime.now() - began).milliseconds
  }
}
