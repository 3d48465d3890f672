import Glibc
import System

/// Where the corpora that came with the program are.
public enum CorpusRoots {
  /// `SWIFTWING_CORPUS` (colon-separated) if set; then `Corpus` in the current folder; then `Corpus` beside the folder
  /// of the executable, and in `share/swiftwing` of where it is installed, in `bin` or in `libexec/swiftwing`.
  public static func standard() -> [String] {
    let wanted = getenv("SWIFTWING_CORPUS").map { String(cString: $0) } ?? ""
    let roots = wanted.split(separator: ":").map(String.init) + ["Corpus"]
    guard let folder = executableFolder() else { return roots }
    return distinct(
      roots + ["Corpus", "share/swiftwing/Corpus", "../share/swiftwing/Corpus"].map { "\(folder)/../\($0)" })
  }

  /// Without those that are a folder met before under another name.
  private static func distinct(_ roots: [String]) -> [String] {
    var seen: Set<[UInt64]> = []
    return roots.filter { root in
      var status = stat()
      return stat(root, &status) != 0 || seen.insert([UInt64(status.st_dev), UInt64(status.st_ino)]).inserted
    }
  }

  /// The folder that the running program's file is in.
  public static func executableFolder() -> String? { RunningProgram.folder }
}
