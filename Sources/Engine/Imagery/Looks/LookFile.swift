import Glibc

extension ColorLookup {
  /// Reads a look from a file.
  /// - Parameter path: an ordinary file of at most `mostBytes`; a pipe without a writer does not block.
  /// - Throws: `LookupError`, with the code `unreadable` if the file does not exist, may not be read, or is no ordinary file.
  public init(file path: String) throws(LookupError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw LookupError(.unreadable, "it is not a file", remedy: "name a .cube file")
    }
    guard status.st_size <= Self.mostBytes else {
      throw LookupError(.tooLarge, "it has \(status.st_size) bytes, of at most \(Self.mostBytes)")
    }
    try self.init(cube: Self.read(descriptor, count: Int(status.st_size)))
  }

  /// Reads at most the number of bytes that the file had when it was opened.
  private static func read(_ descriptor: Int32, count: Int) throws(LookupError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count, let base = buffer.baseAddress {
        let got = Glibc.read(descriptor, base + filled, count - filled)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        guard got > 0 else { return }
        filled += got
      }
    }
    guard failure == 0 else { throw .unreadable(failure) }
    return bytes
  }
}

extension LookupError {
  fileprivate static func unreadable(_ code: Int32) -> LookupError {
    switch code {
    case ENOENT, ENOTDIR: LookupError(.unreadable, "there is no such file", remedy: "check the path")
    case EACCES: LookupError(.unreadable, "permission is denied", remedy: "change the file's permissions")
    default: LookupError(.unreadable, String(cString: strerror(code)), remedy: "check the disk")
    }
  }
}
