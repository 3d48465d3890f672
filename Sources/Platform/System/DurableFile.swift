package import Glibc

/// Replaces a file atomically: its content is always either the old one or the new one.
///
/// The bytes are written to a draft beside the file. ``replace()`` flushes the draft to disk, renames it to the file's name, and flushes the
/// folder. If a step before the renaming fails, the old file is unchanged and the draft is removed. A killed process leaves its draft behind,
/// named `FILE.XXXXXXXX.new`.
package final class DurableFile: Sendable {
  package let path: String
  private let draft: String
  private let descriptor: CInt

  /// Creates an empty draft.
  /// - Parameter mode: the mode of the file, limited by the umask. By default for its owner only.
  /// - Throws: the reason why the file cannot be created, such as `ENOENT` if the folder is missing. Never `EEXIST`.
  package init(_ path: String, mode: mode_t = 0o600) throws(SystemError) {
    self.path = path
    let number = UInt32.random(in: .min ... .max)
    let name = String(number, radix: 16)
    draft = "\(path).\(String(repeating: "0", count: 8 - name.utf8.count))\(name).new"
    descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw SystemError(errno) }
  }

  /// Also runs after a failed `init`. Once the draft has become the file, its name no longer exists.
  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unlink(draft)
  }

  /// Appends to the draft.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    let code = bytes.withUnsafeBytes { WholeFile.write($0, to: descriptor) }
    if code != 0 { throw SystemError(code) }
  }

  /// Replaces the file by the draft. When this returns, bytes and name are on disk.
  package func replace() throws(SystemError) {
    guard fsync(descriptor) == 0, rename(draft, path) == 0 else { throw SystemError(errno) }
    try Self.flushFolder(of: path)
  }

  /// Gives the draft the file's name, unless a file has this name already.
  /// - Returns: false if another file has this name; that file is unchanged.
  package func claim() throws(SystemError) -> Bool {
    guard fsync(descriptor) == 0 else { throw SystemError(errno) }
    guard link(draft, path) == 0 else {
      if errno == EEXIST { return false }
      throw SystemError(errno)
    }
    try Self.flushFolder(of: path)
    return true
  }

  /// Replaces the file at `path` by a new one with these bytes.
  package static func replace(_ path: String, with bytes: [UInt8], mode: mode_t = 0o600) throws(SystemError) {
    let file = try DurableFile(path, mode: mode)
    try file.write(bytes)
    try file.replace()
  }

  /// Replaces `path` by a file that was written elsewhere, such as a database, in the same folder. On failure both files are unchanged.
  package static func replace(_ path: String, withFile other: String) throws(SystemError) {
    let descriptor = open(other, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0, rename(other, path) == 0 else { throw SystemError(errno) }
    try flushFolder(of: path)
  }

  /// Flushes the folder. Two cases are not errors: a folder that may be written but not read, which cannot be flushed, and a file system that
  /// flushes names by itself (`EINVAL`).
  private static func flushFolder(of path: String) throws(SystemError) {
    let folder = path.folderName ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw SystemError(errno) }
  }
}
