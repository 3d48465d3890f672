public import Foundation
import Glibc

/// A file that is either the old one or the new one, never half of one.
public struct DurableFile: Sendable {
  /// Where the file is, or is to be.
  public let path: String

  /// A file of that name; nothing is written yet.
  public init(path: String) { self.path = path }

  /// Writes beside the file, flushes to the disk, then takes the file's place by `rename(2)`; makes the directory when
  /// it is missing. On an error the old file is untouched and nothing is left beside it.
  public func write(_ data: Data) throws(HarnessError) {
    let directory = (path as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(
        atPath: directory.isEmpty ? "." : directory, withIntermediateDirectories: true)
    } catch {
      throw .write(
        path: path, reason: "the directory \(directory) could not be made (\(Self.reason(of: error)))")
    }
    let temporary = "\(path).\(getpid()).partial"
    let written = flush(data, to: temporary)
    guard written == 0, rename(temporary, path) == 0 else {
      let cause = written == 0 ? errno : written
      unlink(temporary)
      throw .write(path: path, reason: String(cString: strerror(cause)).lowercasedFirst)
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

  /// - Returns: 0, or the `errno` of what failed.
  private func flush(_ data: Data, to path: String) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    var offset = 0
    while offset < data.count {
      let count = data.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress! + offset, data.count - offset)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      offset += count
    }
    return fsync(descriptor) == 0 ? 0 : errno
  }
}

extension String {
  /// `No space left on device` inside a sentence.
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
