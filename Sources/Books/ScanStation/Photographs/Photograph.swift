import Glibc
import System

/// A photograph in a file, to be read into the library.
public struct Photograph: Sendable, Hashable {
  /// The path of the file, as a person would write it.
  public var path: String
  /// The size of the file when it was found; 0 if it was not found.
  public var bytes: Int
  /// The folder whose search found it. Nil if the file was named itself.
  public var folder: String?
  /// The place of the shelf, in a person's words. Nil keeps the place given before.
  public var location: String?

  /// Creates a photograph, without checking its values.
  public init(path: String, bytes: Int, folder: String? = nil, location: String? = nil) {
    self.path = path
    self.bytes = bytes
    self.folder = folder
    self.location = location
  }

  /// The absolute path, so that the file is found from any working directory.
  var wholePath: String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path.hasPrefix("./") ? String(path.dropFirst(2)) : path)"
  }

  /// The media type, by the signatures of JPEG (ITU-T T.81, B.1.1.3) and PNG (ISO/IEC 15948, 5.2).
  /// - Returns: `image/jpeg` or `image/png`; nil for anything else.
  static func mediaType(_ bytes: some Collection<UInt8>) -> String? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    return bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) ? "image/png" : nil
  }
}

extension Photograph {
  /// The largest file that is read, bytes.
  static let fileLimit = 256 << 20

  /// Reads a file.
  /// - Throws: `PhotoFileError`, also for a file larger than `fileLimit`.
  package static func contents(_ file: String) throws(PhotoFileError) -> [UInt8] {
    do throws(RegularFile.Trouble) { return try RegularFile.read(file, atMost: fileLimit) } catch {
      switch error {
      // Bytes of a name that are not UTF-8 have been replaced, so no file has this name.
      case .system(ENOENT) where file.unicodeScalars.contains("\u{FFFD}"):
        throw PhotoFileError(file: file, reason: "its name is not UTF-8", remedy: "rename it")
      case .system(ENOENT): throw PhotoFileError(file: file, reason: "there is no such file")
      case .system(let number):
        throw PhotoFileError(file: file, reason: String(cString: strerror(number)).lowercased())
      case .isFolder, .isNoFile:
        throw PhotoFileError(file: file, reason: "it is not a file", remedy: "name a file")
      case .isTooLarge:
        throw PhotoFileError(file: file, reason: "it is larger than 256 MB", remedy: "give a smaller file")
      }
    }
  }
}

/// A file that does not exist, cannot be read or written, or has other content than it must have.
package struct PhotoFileError: Error, CustomStringConvertible {
  private let cannot: String
  private let file: String
  package let reason: String
  private let remedy: String

  package init(
    cannot: String = "read", file: String, reason: String,
    remedy: String = "check the name and the permissions"
  ) {
    self.cannot = cannot
    self.file = file
    self.reason = reason
    self.remedy = remedy
  }

  /// Creates the error of a file that cannot be written, with a remedy for its reason.
  /// - Parameter code: the system's error number.
  package init(writing file: String, code: CInt) {
    self.init(
      cannot: "write", file: file, reason: String(cString: strerror(code)).lowercased(),
      remedy: [ENOSPC, EDQUOT].contains(code)
        ? "free some space, or name a file on another disk" : "check the name and the permissions")
  }

  /// Whether a result could not be written. Otherwise the input is at fault.
  package var isUnwritten: Bool { cannot == "write" }

  package var description: String { "Cannot \(cannot) \(file) (\(reason)); \(remedy)." }
}
