import BookScan
import Foundation

/// What was read in photographs, kept in a file, so that the search for books can be tried again without reading again.
struct KeptReadings: Codable {
  struct Photo: Codable {
    var reading: TextReading
    var milliseconds: Double
    /// Of all threads, user and system.
    var processorSeconds: Double
  }

  var level: RecognitionLevel
  var photos: [String: Photo] = [:]

  /// - Parameter recognizer: what reads now, with its version.
  /// - Returns: nothing when there is no such file.
  /// - Throws: when the file holds something else, or was read at another level or by another recogniser.
  init(file: String, level: RecognitionLevel, recognizer: String) throws {
    self.level = level
    guard FileManager.default.fileExists(atPath: file) else { return }
    guard let kept = try? JSONDecoder().decode(Self.self, from: Data(PhotoScan.contents(file))) else {
      throw PhotoFileError(file: file, reason: "it was not written by --readings")
    }
    guard kept.level == level else {
      throw PhotoFileError(
        file: file,
        reason: "it was written at --level \(kept.level.rawValue), not \(level.rawValue); name another file")
    }
    // A second recogniser may have read the Cyrillic titles; its name follows.
    let names = kept.photos.values.map(\.reading.recognizer)
    if let other = names.first(where: { $0 != recognizer && !$0.hasPrefix("\(recognizer), ") }) {
      throw PhotoFileError(
        file: file,
        reason: "its photographs were read by \(other), and \(recognizer) reads now; name another file")
    }
    self = kept
  }

  func encoded() throws -> Data { try JSONEncoder().encode(self) }
}
