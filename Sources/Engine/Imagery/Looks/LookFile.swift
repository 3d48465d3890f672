import Glibc
import System

extension ColorLookup {
  /// Reads a look from a file.
  /// - Parameter path: an ordinary file of at most `mostBytes`; a pipe without a writer does not block.
  /// - Throws: `LookupError`, with the code `unreadable` if the file does not exist, may not be read, or is no ordinary file.
  public init(file path: String) throws(LookupError) {
    let bytes: [UInt8]
    do throws(RegularFile.Trouble) { bytes = try RegularFile.read(path, atMost: Self.mostBytes) } catch {
      throw LookupError(error)
    }
    try self.init(cube: bytes)
  }
}

extension LookupError {
  init(_ trouble: RegularFile.Trouble) {
    switch trouble {
    case .system(ENOENT), .system(ENOTDIR):
      self.init(.unreadable, "there is no such file", remedy: "check the path")
    case .system(EACCES):
      self.init(.unreadable, "permission is denied", remedy: "change the file's permissions")
    case .system(let code):
      let remedy =
        switch code {
        case EIO: "check the disk"
        case EMFILE, ENFILE, ENOMEM: "end other programs, and try again"
        default: "check the path"
        }
      self.init(.unreadable, SystemError(code).reason, remedy: remedy)
    case .isFolder, .isNoFile: self.init(.unreadable, "it is not a file", remedy: "name a .cube file")
    case .isTooLarge:
      self.init(
        .tooLarge, "it has more than \(ColorLookup.mostBytes) bytes", remedy: "export a smaller table")
    }
  }
}
