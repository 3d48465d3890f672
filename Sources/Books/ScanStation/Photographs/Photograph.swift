import Glibc

/// A photograph in a file, to be read into the library.
public struct Photograph: Sendable, Hashable {
  /// As a person would name the file.
  public var path: String
  /// Of the file when it was found; 0 where it was not.
  public var bytes: Int
  /// The folder that it was found in; nil when it was named itself.
  public var folder: String?
  /// Where the shelf is, as a person says; nil leaves what was said of it before.
  public var location: String?

  /// A photograph; nothing is checked.
  public init(path: String, bytes: Int, folder: String? = nil, location: String? = nil) {
    self.path = path
    self.bytes = bytes
    self.folder = folder
    self.location = location
  }

  /// From the root of the file system, so that it is found from any folder.
  var wholePath: String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path.hasPrefix("./") ? String(path.dropFirst(2)) : path)"
  }

  /// What its bytes say it is, by the signatures of JPEG (ITU-T T.81, B.1.1.3) and PNG (ISO/IEC 15948, 5.2).
  /// - Returns: `image/jpeg` or `image/png`; nil for anything else.
  static func mediaType(_ bytes: some Collection<UInt8>) -> String? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    return bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) ? "image/png" : nil
  }
}
