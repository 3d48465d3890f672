package import Glibc

/// A file that is either the old one or the new one, never half of one.
///
/// The bytes go to a draft beside the file. ``replace()`` flushes it to the disk, gives it the file's name, and flushes the folder that
/// holds the name. Whatever fails before that, the old file is untouched and the draft is removed. A process that is killed leaves
/// its draft behind, named `FILE.XXXXXXXX.new`.
package final class DurableFile: Sendable {
  package let path: String
  private let draft: String
  private let descriptor: CInt

  /// Makes an empty draft.
  /// - Parameter mode: of the file, as far as the umask allows; for its owner alone by default.
  /// - Throws: why the file cannot be made, such as `ENOENT` if the folder is not there. Never `EEXIST`.
  package init(_ path: String, mode: mode_t = 0o600) throws(SystemError) {
    self.path = path
    let number = UInt32.random(in: .min ... .max)
    let name = String(number, radix: 16)
    draft = "\(path).\(String(repeating: "0", count: 8 - name.utf8.count))\(name).new"
    descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw SystemError(errno) }
  }

  /// Runs after a failed `init` too. A draft that has become the file has no name of its own any more.
  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unlink(draft)
  }

  /// Adds to the draft.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    let code = bytes.withUnsafeBytes { Self.write($0, to: descriptor) }
    if code != 0 { throw SystemError(code) }
  }

  /// The draft takes the file's place. When this returns, bytes and name are on the disk.
  package func replace() throws(SystemError) {
    guard fsync(descriptor) == 0, rename(draft, path) == 0 else { throw SystemError(errno) }
    try Self.flushFolder(of: path)
  }

  /// The draft becomes the file if there is none yet.
  /// - Returns: false when there was one; it is untouched.
  package func claim() throws(SystemError) -> Bool {
    guard fsync(descriptor) == 0 else { throw SystemError(errno) }
    guard link(draft, path) == 0 else {
      if errno == EEXIST { return false }
      throw SystemError(errno)
    }
    try Self.flushFolder(of: path)
    return true
  }

  /// Puts a whole file in the place of `path`.
  package static func replace(_ path: String, with bytes: [UInt8], mode: mode_t = 0o600) throws(SystemError) {
    let file = try DurableFile(path, mode: mode)
    try file.write(bytes)
    try file.replace()
  }

  /// Puts a file that somebody else has written, such as a database, in the place of `path`. Both are in one folder. Where that fails
  /// `path` is untouched and the other file stays.
  package static func replace(_ path: String, withFile other: String) throws(SystemError) {
    let descriptor = open(other, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0, rename(other, path) == 0 else { throw SystemError(errno) }
    try flushFolder(of: path)
  }

  /// - Returns: 0, or a number of `errno`.
  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> CInt {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      rest = rest.dropFirst(count)
    }
    return 0
  }

  /// A folder that may be written but not read cannot be flushed, and some file systems flush names by themselves (`EINVAL`): both
  /// are no reason to refuse the file.
  private static func flushFolder(of path: String) throws(SystemError) {
    let folder = path.folderName ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw SystemError(errno) }
  }
}
