import BookScan
import ScanStation
import System

/// The scan of one photograph file, with its cost.
struct PhotoScan {
  var findings: PhotoFindings
  var milliseconds: Double
  /// The processor time, user and system, of all threads here and in the worker.
  var processorSeconds: Double
  /// The size of the file, bytes.
  private var bytes: Int

  init(file: String, worker: RecognitionWorker, level: RecognitionLevel) throws {
    let started = MonotonicTime.now()
    let used = ProcessorUse.ofProcess
    let picture = try Photograph.contents(file)
    let result = try worker.scan(picture, level: level)
    (findings, bytes) = (result.findings, picture.count)
    milliseconds = Double((MonotonicTime.now() - started) / .microseconds(1)) / 1000
    processorSeconds = ProcessorUse.ofProcess - used + result.processorSeconds
  }

  /// Finds the books of a photograph from the kept reading of an earlier run; time and cost are those of that run.
  /// - Returns: nil if the kept reading is of another photograph.
  init?(file: String, kept: KeptReadings.Photo, worker: RecognitionWorker, level: RecognitionLevel) throws {
    let picture = try Photograph.contents(file)
    guard kept.isOf(fileOf: picture.count) else { return nil }
    findings = try worker.scan(picture, level: level, reading: kept.reading).findings
    (milliseconds, processorSeconds, bytes) = (kept.milliseconds, kept.processorSeconds, picture.count)
  }

  /// The reading, kept so that a later run need not read the photo again.
  var kept: KeptReadings.Photo {
    KeptReadings.Photo(
      reading: TextReading(lines: findings.lines, recognizer: findings.recognizer, cost: findings.cost),
      milliseconds: milliseconds, processorSeconds: processorSeconds, bytes: bytes)
  }
}
