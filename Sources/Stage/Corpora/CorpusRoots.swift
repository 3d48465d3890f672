import Glibc
import System

/// The folders with the bundled corpora.
public enum CorpusRoots {
  /// Returns `SWIFTWING_CORPUS` (colon-separated) if set; then `Corpus` in the current folder; then `Corpus` beside the folder of the executable, and
  /// in `share/swiftwing` of its installation, for an executable in `bin` or in `libexec/swiftwing`.
  public static func standard() -> [String] {
    let wanted = getenv("SWIFTWING_CORPUS").map { String(cString: $0) } ?? ""
    let roots = wanted.split(separator: ":").map(String.init) + ["Corpus"]
    guard let folder = executableFolder() else { return roots }
    return distinct(
      roots + ["Corpus", "share/swiftwing/Corpus", "../share/swiftwing/Corpus"].map { "\(folder)/../\($0)" })
  }

  /// Leaves out each root that leads to the same folder as an earlier one.
  private static func distinct(_ roots: [String]) -> [String] {
    var seen: Set<[UInt64]> = []
    return roots.filter { root in
      var status = stat()
      return stat(root, &status) != 0 || seen.insert([UInt64(status.st_dev), UInt64(status.st_ino)]).inserted
    }
  }

  /// Returns the folder of the running program's file.
  public static func executableFolder() -> String? { RunningProgram.folder }
}
