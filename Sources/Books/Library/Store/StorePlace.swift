import Glibc
import System

/// The location of a store. Only the folder's owner may read it.
extension Store {
  /// The name of the library's file in its folder. The file also holds the queue.
  public static let fileName = "library.sqlite"

  /// The folder of a person's own library: `$XDG_DATA_HOME/swiftwing`, or `~/.local/share/swiftwing` (XDG Base Directory
  /// Specification, by which a relative `XDG_DATA_HOME` does not count).
  /// - Throws: `badInput` if neither variable is usable.
  public static func standardDirectory(_ environment: [String: String]) throws(DeliveryError) -> String {
    if let data = environment["XDG_DATA_HOME"], data.begins(exactly: "/") { return "\(data)/swiftwing" }
    if let home = environment["HOME"], home.begins(exactly: "/") { return "\(home)/.local/share/swiftwing" }
    throw DeliveryError(
      .badInput, "find the library", reason: "neither HOME nor XDG_DATA_HOME says where it is",
      remedy: "name it with --library")
  }

  /// The folder for a `path` given by a person, which may be the folder or the library file in it.
  public static func directory(named path: String) -> String {
    path.lastName.isExactly(fileName) ? path.folderName ?? "." : path
  }

  /// Whether there is a library in `directory` already.
  public static func exists(in directory: String) -> Bool {
    Glibc.access("\(directory)/\(fileName)", F_OK) == 0
  }

  /// Creates the folder and its missing parents, for their owner alone. Returns false and sets `errno` on failure.
  package static func makeFolders(_ path: String) -> Bool {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, let above = path.folderName, !above.isExactly("/"), makeFolders(above)
    else { return false }
    return mkdir(path, 0o700) == 0 || errno == EEXIST
  }

  /// Creates the file with mode 0600 from the start; SQLite gives its companion files the same mode. An existing file is not opened here, because
  /// closing it would release the locks that this process has on it.
  static func makePrivate(_ path: String) -> Bool {
    if let made = OwnedDescriptor(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW) { return made.number >= 0 }
    return errno == EEXIST && (chmod(path, 0o600) == 0 || errno == EPERM)
  }
}
