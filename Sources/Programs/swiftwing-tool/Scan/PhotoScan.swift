import BookScan
import ScanStation
import System

/// The scan of one photograph file, with its cost.
struct PhotoScan {
  var findings: PhotoFindings
  var milliseconds: Double
  /// The processor time, user and system, of all threads here and in the worker.
  var processorSeconds: Double

  init(file: String, worker: RecognitionWorker, level: RecognitionLevel) throws {
    let started = MonotonicTime.now()
    let used = ProcessorUse.ofProcess
    let result = try worker.scan(try Photograph.contents(file), level: level)
    findings = result.findings
    milliseconds = Double((MonotonicTime.now() - started) / .microseconds(1)) / 1000
    processorSeconds = ProcessorUse.ofProcess - used + result.processorSeconds
  }

  /// Finds the books of a photograph from the kept reading of an earlier run; time and cost are those of that run.
  init(file: String, kept: KeptReadings.Photo, worker: RecognitionWorker, level: RecognitionLevel) throws {
    findings = try worker.scan(try Photograph.contents(file), level: level, reading: kept.reading).findings
    (milliseconds, processorSeconds) = (kept.milliseconds, kept.processorSeconds)
  }

  /// The reading, kept so that a later run need not read the photo again.
  var kept: KeptReadings.Photo {
    KeptReadings.Photo(
      reading: TextReading(lines: findings.lines, recognizer: findings.recognizer, cost: findings.cost),
      milliseconds: milliseconds, processorSeconds: processorSeconds)
  }
}
