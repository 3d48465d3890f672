public import Foundation
import Glibc
import System

/// A file that is replaced as a whole: after an error or a crash, its content is either the old or the new content. Writes by `DurableFile`
/// of the module `System`, but throws `HarnessError`, creates the folder if needed, and lets others read the file.
public struct OutputFile: Sendable {
  /// The path of the file.
  public let path: String

  /// Creates an output file. Nothing is written yet.
  public init(path: String) { self.path = path }

  /// Replaces the file durably, and creates its folder if needed. On an error the old file is untouched and nothing is left beside it.
  public func write(_ data: Data) throws(HarnessError) {
    let directory = path.folderName ?? ""
    do {
      try FileManager.default.createDirectory(
        atPath: directory.isEmpty ? "." : directory, withIntermediateDirectories: true)
    } catch {
      throw .write(
        path: path, reason: "the directory \(directory) could not be made (\(Self.reason(of: error)))")
    }
    do {
      // Other users may read a report.
      try DurableFile.replace(path, with: [UInt8](data), mode: 0o644)
    } catch {
      throw .write(path: path, reason: error.reason.lowercasedFirst)
    }
  }

  /// Replaces the file with text, as UTF-8.
  public func write(_ text: String) throws(HarnessError) { try write(Data(text.utf8)) }

  /// Returns the reason of an error, as a clause.
  static func reason(of error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    let code = underlying?.domain == NSPOSIXErrorDomain ? Int32(underlying?.code ?? 0) : errno
    return String(cString: strerror(code)).lowercasedFirst
  }
}

extension String {
  /// The text for use inside a sentence: `no space left on device`.
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
