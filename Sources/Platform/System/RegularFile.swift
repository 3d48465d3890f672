import Glibc

/// Reads a file that a user named: a regular file of bounded size. A pipe without a writer, a device without an end and a folder are refused at
/// once.
package enum RegularFile {
  /// The reason why a file is refused.
  package enum Trouble: Error, Equatable, Sendable {
    /// The system refused to open or read the file, with this `errno`.
    case system(CInt)
    case isFolder
    /// The path leads to a pipe, a socket or a device.
    case isNoFile
    /// The file is larger than the limit.
    case isTooLarge

    /// The reason as a clause, such as `it is a folder`.
    package var reason: String {
      switch self {
      case .system(let code): SystemError(code).reason
      case .isFolder: "it is a folder"
      case .isNoFile: "it is a pipe, a socket or a device, not a file"
      case .isTooLarge: "it is too large"
      }
    }

    /// The reason with the limit in bytes, such as `it has more than 1048576 bytes`.
    package func reason(atMost limit: Int) -> String {
      self == .isTooLarge ? "it has more than \(limit) bytes" : reason
    }
  }

  /// A file that is open for reading. The caller must close its descriptor.
  package struct Opened: Sendable {
    package let descriptor: CInt
    /// The size in bytes when it was opened.
    package let size: Int
    /// The permission bits, as for `chmod`.
    package let permissions: UInt32
    /// The user id of its owner.
    package let owner: UInt32
  }

  package static func open(_ path: String) throws(Trouble) -> Opened {
    // A pipe without a writer must not block, and a terminal must not become the controlling terminal.
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .system(errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      defer { close(descriptor) }
      throw .system(errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw status.st_mode & S_IFMT == S_IFDIR ? .isFolder : .isNoFile
    }
    return Opened(
      descriptor: descriptor, size: Int(status.st_size), permissions: status.st_mode & 0o7777,
      owner: status.st_uid)
  }

  /// The whole content. Files in `/proc`, which report no size, are read to their end.
  package static func read(_ path: String, atMost limit: Int) throws(Trouble) -> [UInt8] {
    let file = try open(path)
    defer { close(file.descriptor) }
    return try read(file, atMost: limit)
  }

  package static func read(_ file: Opened, atMost limit: Int) throws(Trouble) -> [UInt8] {
    guard file.size <= limit else { throw .isTooLarge }
    return try WholeFile.read(file.descriptor, atMost: limit, expecting: file.size)
  }
}
