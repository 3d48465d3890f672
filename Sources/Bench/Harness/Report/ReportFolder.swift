import Foundation
import Glibc

/// A folder that one run at a time writes its report to: it is locked (`flock(2)`) as long as this lives, so the lock ends with the
/// process however that ends.
public final class ReportFolder: Sendable {
  /// As it was named.
  public let path: String
  private let descriptor: Int32

  /// Makes the folder where it is missing, and takes it.
  /// - Throws: `HarnessError.write` when it cannot be made, `HarnessError.folderInUse` when another run has it.
  public init(path: String) throws(HarnessError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      let reason = OutputFile.reason(of: error)
      throw .write(path: "\(path)/report.json", reason: "the directory \(path) could not be made (\(reason))")
    }
    self.path = path
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A file system without locks cannot say; a folder that cannot be opened is told of when it is written to.
    guard descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      close(descriptor)
      throw .folderInUse(path: path)
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    // For a process that is being started as well, which has a copy of the descriptor.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Takes a folder of this name that was not there before, or else `name-2`, `name-3` and so on.
  public static func new(_ name: String, in parent: String) throws(HarnessError) -> ReportFolder {
    try? FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    for number in 1...100 {
      let path = "\(parent)/\(name)" + (number == 1 ? "" : "-\(number)")
      if mkdir(path, 0o777) == 0 || errno != EEXIST { return try ReportFolder(path: path) }
    }
    throw .folderInUse(path: "\(parent)/\(name)")
  }

  /// True when the report of a run in `folder` would take the place of `file`, under whatever name.
  public static func wouldOverwrite(_ file: String, in folder: String) -> Bool {
    isSame(file, ReportFile(directory: folder).path)
  }

  /// True when both names are those of one file that is there.
  public static func isSame(_ first: String, _ second: String) -> Bool {
    var (one, other) = (stat(), stat())
    guard stat(first, &one) == 0, stat(second, &other) == 0 else { return false }
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }
}
