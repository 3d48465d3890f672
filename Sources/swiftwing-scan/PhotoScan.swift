import BookScan
import Foundation
import Imagery

/// One photograph file through the scanner, with what it cost.
struct PhotoScan {
  var findings: PhotoFindings
  var milliseconds: Double
  /// Of all threads, user and system.
  var processorSeconds: Double

  /// Largest file read, bytes.
  static let fileLimit = 256 << 20

  init(file: String, scanner: BookScanner, level: RecognitionLevel) throws {
    let started = MonotonicTime.now()
    let used = Self.processorSeconds()
    let bytes = try Self.read(file)
    let (image, orientation, _) = try ImageFile.read(bytes)
    findings = try scanner.scan(image, orientation: orientation, level: level)
    milliseconds = Double((MonotonicTime.now() - started) / .microseconds(1)) / 1000
    processorSeconds = Self.processorSeconds() - used
  }

  private static func read(_ file: String) throws -> [UInt8] {
    guard let handle = FileHandle(forReadingAtPath: file) else {
      throw PhotoFileError(file: file, reason: String(cString: strerror(errno)))
    }
    defer { try? handle.close() }
    guard let data = try? handle.read(upToCount: fileLimit + 1) else {
      throw PhotoFileError(file: file, reason: "it cannot be read")
    }
    guard data.count <= fileLimit else {
      throw PhotoFileError(file: file, reason: "it is larger than 256 MB")
    }
    return [UInt8](data)
  }

  private static func processorSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    return seconds + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }
}

/// A file that is not there or cannot be read.
struct PhotoFileError: Error, CustomStringConvertible {
  var file: String
  var reason: String

  var description: String { "Cannot read the photo \(file) (\(reason)); check the name and the permissions." }
}
