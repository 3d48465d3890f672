import Foundation
import Glibc

/// A folder that one run at a time writes its report to. It is locked (`flock(2)`) as long as this object lives, so the lock ends with the
/// process, however the process ends.
public final class ReportFolder: Sendable {
  /// The path, as given.
  public let path: String
  private let descriptor: Int32

  /// Creates the folder if needed, and locks it.
  /// - Throws: `HarnessError.write` if the folder cannot be created, `HarnessError.folderInUse` if another run has locked it.
  public init(path: String) throws(HarnessError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      let reason = OutputFile.reason(of: error)
      throw .write(path: "\(path)/report.json", reason: "the directory \(path) could not be made (\(reason))")
    }
    self.path = path
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A file system without locks is accepted. A folder that cannot be opened is reported when it is written to.
    guard descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      close(descriptor)
      throw .folderInUse(path: path)
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    // Unlocks explicitly, because a child process that is just being started has a copy of the descriptor.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Creates and locks a new folder of this name, or else `name-2`, `name-3` and so on.
  public static func new(_ name: String, in parent: String) throws(HarnessError) -> ReportFolder {
    try? FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    for number in 1...100 {
      let path = "\(parent)/\(name)" + (number == 1 ? "" : "-\(number)")
      if mkdir(path, 0o777) == 0 || errno != EEXIST { return try ReportFolder(path: path) }
    }
    throw .folderInUse(path: "\(parent)/\(name)")
  }

  /// Returns whether the report of a run in `folder` would overwrite `file`, whatever the name of `file`.
  public static func wouldOverwrite(_ file: String, in folder: String) -> Bool {
    isSame(file, ReportFile(directory: folder).path)
  }

  /// Returns whether both names are those of one existing file.
  public static func isSame(_ first: String, _ second: String) -> Bool {
    var (one, other) = (stat(), stat())
    guard stat(first, &one) == 0, stat(second, &other) == 0 else { return false }
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }
}
