public import Foundation
import Glibc
import System

/// A file that is either the old one or the new one, never half of one: `DurableFile` of the room `System` with the harness's errors, the folder
/// made where it is missing, and readable by others.
public struct OutputFile: Sendable {
  /// Where the file is, or is to be.
  public let path: String

  /// A file of that name; nothing is written yet.
  public init(path: String) { self.path = path }

  /// Replaces the file durably; makes the directory when it is missing. On an error the old file is untouched and nothing is left
  /// beside it.
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
      // Others may read a report.
      try DurableFile.replace(path, with: [UInt8](data), mode: 0o644)
    } catch {
      throw .write(path: path, reason: error.reason.lowercasedFirst)
    }
  }

  /// The same for text, as UTF-8.
  public func write(_ text: String) throws(HarnessError) { try write(Data(text.utf8)) }

  /// As a clause.
  static func reason(of error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    let code = underlying?.domain == NSPOSIXErrorDomain ? Int32(underlying?.code ?? 0) : errno
    return String(cString: strerror(code)).lowercasedFirst
  }
}

extension String {
  /// `No space left on device` inside a sentence.
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
