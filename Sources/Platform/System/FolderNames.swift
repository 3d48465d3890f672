import Glibc

/// The names of a folder's entries.
package enum FolderNames {
  /// Reads the names, without `.` and `..`, in the order of the file system.
  /// - Parameters:
  ///   - limit: the largest number of names that are returned.
  ///   - isWanted: whether a name is returned.
  package static func read(
    _ folder: String, limit: Int = .max, where isWanted: (String) -> Bool = { _ in true }
  ) throws(SystemError) -> [String] {
    guard let stream = opendir(folder) else { throw SystemError(errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < limit, let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != "..", isWanted(name) { names.append(name) }
    }
    return names
  }
}

extension String {
  /// The path with every symbolic link followed (realpath(3)). Nil if it does not exist, with `errno` set.
  package var realPath: String? {
    guard let path = realpath(self, nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}
