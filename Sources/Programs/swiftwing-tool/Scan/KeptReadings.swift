import BookScan
import Foundation
import ScanStation

/// The readings of photographs, kept in a file so that the search for books can be repeated without reading again.
struct KeptReadings: Codable {
  struct Photo: Codable {
    var reading: TextReading
    var milliseconds: Double
    /// The processor seconds of all threads, user and system.
    var processorSeconds: Double
    /// The size of the photograph's file, bytes. Nil in files that were written before it was kept.
    var bytes: Int?

    /// Whether this may be the reading of a photograph whose file has a size: not of another photograph of the same name.
    func isOf(fileOf size: Int) -> Bool { bytes.map { $0 == size } ?? true }
  }

  var level: RecognitionLevel
  var photos: [String: Photo] = [:]

  /// Reads the file.
  /// - Parameter recognizer: the current recogniser, with its version.
  /// - Returns: no readings if the file does not exist.
  /// - Throws: if the file has other content, or was made at another level or by another recogniser.
  init(file: String, level: RecognitionLevel, recognizer: String) throws {
    self.level = level
    guard FileManager.default.fileExists(atPath: file) else { return }
    guard let kept = try? JSONDecoder().decode(Self.self, from: Data(Photograph.contents(file))) else {
      throw PhotoFileError(
        file: file, reason: "it was not written by --readings", remedy: "name another file")
    }
    guard kept.level == level else {
      throw PhotoFileError(
        file: file,
        reason: "it was written at --level \(kept.level.rawValue), not \(level.rawValue)",
        remedy: "name another file")
    }
    // If a second recogniser read Cyrillic titles, its name follows the first one's after a comma.
    let names = kept.photos.values.map(\.reading.recognizer)
    if let other = names.first(where: { $0 != recognizer && !$0.hasPrefix("\(recognizer), ") }) {
      throw PhotoFileError(
        file: file,
        reason: "its photographs were read by \(other), and \(recognizer) reads now",
        remedy: "name another file")
    }
    self = kept
  }

  func encoded() throws -> Data { try JSONEncoder().encode(self) }
}
