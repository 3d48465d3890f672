import BookScan
import Foundation
import Imagery
import System

/// The scan of one photograph file, with its cost.
struct PhotoScan {
  var findings: PhotoFindings
  var milliseconds: Double
  /// The processor time, user and system, of all threads here and in the worker.
  var processorSeconds: Double

  /// The largest file that is read, bytes.
  static let fileLimit = 256 << 20

  init(file: String, worker: RecognitionWorker, level: RecognitionLevel) throws {
    let started = MonotonicTime.now()
    let used = ProcessorUse.ofProcess
    let result = try worker.scan(try Self.contents(file), level: level)
    findings = result.findings
    milliseconds = Double((MonotonicTime.now() - started) / .microseconds(1)) / 1000
    processorSeconds = ProcessorUse.ofProcess - used + result.processorSeconds
  }

  /// Finds the books of a photograph from the kept reading of an earlier run; time and cost are those of that run.
  init(file: String, kept: KeptReadings.Photo, worker: RecognitionWorker, level: RecognitionLevel) throws {
    findings = try worker.scan(try Self.contents(file), level: level, reading: kept.reading).findings
    (milliseconds, processorSeconds) = (kept.milliseconds, kept.processorSeconds)
  }

  /// The reading, kept so that a later run need not read the photo again.
  var kept: KeptReadings.Photo {
    KeptReadings.Photo(
      reading: TextReading(lines: findings.lines, recognizer: findings.recognizer, cost: findings.cost),
      milliseconds: milliseconds, processorSeconds: processorSeconds)
  }

  /// Reads a file.
  /// - Throws: `PhotoFileError`, also for a file larger than `fileLimit`.
  static func contents(_ file: String) throws -> [UInt8] {
    do throws(RegularFile.Trouble) { return try RegularFile.read(file, atMost: fileLimit) } catch {
      let why =
        switch error {
        case .system(let number): reason(number)
        case .isFolder, .isNoFile: "it is not a file"
        case .isTooLarge: "it is larger than 256 MB"
        }
      throw PhotoFileError(file: file, reason: why)
    }
  }

  private static func reason(_ number: Int32) -> String {
    number == ENOENT ? "there is no such file" : String(cString: strerror(number)).lowercased()
  }
}

/// A file that does not exist, or cannot be read or written.
struct PhotoFileError: Error, CustomStringConvertible {
  var cannot = "read"
  var file: String
  var reason: String

  /// Whether a result could not be written. Otherwise the input is at fault.
  var isUnwritten: Bool { cannot == "write" }

  var description: String { "Cannot \(cannot) \(file) (\(reason)); check the name and the permissions." }
}
