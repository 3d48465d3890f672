import Glibc
import System

/// Creation, replacement and removal of whole folders.
enum FolderTree {
  /// Returns the path without trailing slashes, so that suffixes can be appended to it.
  static func trimmed(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// Creates the folder and missing ones above it.
  static func make(_ path: String) throws(CorpusError) {
    if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw .writing(path, errno)
    }
    try make(String(path[..<slash]))
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw .writing(path, errno) }
  }

  /// Removes a folder with its content. Links are removed, not followed. Does nothing if there is none.
  static func remove(_ path: String) {
    if unlink(path) == 0 || errno == ENOENT { return }
    guard let names = try? FolderNames.read(path) else { return }
    for name in names {
      if isFolder("\(path)/\(name)") { remove("\(path)/\(name)") } else { unlink("\(path)/\(name)") }
    }
    rmdir(path)
  }

  /// Visits every file below a folder, by its name relative to it, in any order. Links count as files, hidden files are skipped. At most eight levels
  /// deep.
  static func visitFiles(
    in folder: String, below prefix: String = "", depth: Int = 1, _ visit: (String) -> Void
  ) {
    for name in (try? FolderNames.read(folder)) ?? [] where !name.begins(exactly: ".") {
      if depth < 8, isFolder("\(folder)/\(name)") {
        visitFiles(in: "\(folder)/\(name)", below: "\(prefix)\(name)/", depth: depth + 1, visit)
      } else {
        visit(prefix + name)
      }
    }
  }

  /// Returns whether the path itself, not the target of a link, is a folder.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Replaces `path` by `new`. An older corpus is first moved away and then removed.
  static func replace(_ path: String, with new: String) throws(CorpusError) {
    if rename(new, path) == 0 { return }
    guard errno == ENOTEMPTY || errno == EEXIST else { throw .writing(path, errno) }
    let old = new + ".old"
    guard rename(path, old) == 0 else { throw .writing(path, errno) }
    guard rename(new, path) == 0 else {
      let code = errno
      rename(old, path)
      throw .writing(path, code)
    }
    remove(old)
  }

  static func write(_ bytes: [UInt8], to path: String) throws(CorpusError) {
    try bytes.withUnsafeBytes { bytes in Result { () throws(CorpusError) in try write(bytes, to: path) } }
      .get()
  }

  /// Writes a whole file that must not exist yet.
  static func write(_ bytes: UnsafeRawBufferPointer, to path: String) throws(CorpusError) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw .writing(path, errno) }
    defer { close(file) }
    let code = WholeFile.write(bytes, to: file)
    if code != 0 { throw .writing(path, code) }
  }
}
