import Glibc

/// A failure around a run: of its files, not of a measurement. The description is one sentence for a person.
public enum HarnessError: Error, Equatable, CustomStringConvertible {
  /// A profile that does not exist, cannot be read, or contradicts itself.
  case profile(path: String, reason: String)
  /// A report that does not exist or cannot be read. Its reason ends with the remedy.
  case report(path: String, reason: String)
  /// A file that could not be written. Its old content is untouched.
  case write(path: String, reason: String)
  /// A report that cannot be compared, or that no run may be compared with. Its reason ends with the remedy.
  case comparison(path: String, reason: String)
  /// Reports that are not parts of one run. Its reason ends with the remedy.
  case merge(reason: String)
  /// Another run is writing to the folder.
  case folderInUse(path: String)

  /// One sentence for a person: the failed action, the reason, the remedy.
  public var description: String {
    switch self {
    case .profile(let path, let reason):
      "Could not read the profile \(path): \(reason); choose one of \(Profile.builtInNames.joined(separator: ", "))"
        + " or correct the file."
    case .report(let path, let reason):
      "Could not read the report \(path): \(reason)."
    case .write(let path, let reason):
      "Could not write \(path): \(reason); \(Self.remedy(for: reason))."
    case .comparison(let path, let reason):
      "Could not compare with \(path): it \(reason)."
    case .merge(let reason):
      "Could not merge the reports: \(reason)."
    case .folderInUse(let path):
      "Could not write to \(path): another run is writing its report there; choose another directory with --out."
    }
  }

  /// Returns the remedy for a reason. The reason contains the system's words for the error, perhaps among other words.
  private static func remedy(for reason: String) -> String {
    if reason == ReportFile.inexpressible { return "report this as a defect" }
    let words = reason.lowercased()
    func says(_ codes: CInt...) -> Bool {
      codes.contains { words.contains(String(cString: strerror($0)).lowercased()) }
    }
    if says(ENOSPC, EDQUOT) { return "free some space or choose another directory with --out" }
    if says(ENAMETOOLONG) { return "choose a shorter name with --out" }
    if says(EROFS) { return "choose a directory on a disk that can be written to with --out" }
    if says(EACCES, EPERM) { return "choose a directory that you may write to with --out" }
    return "choose another directory with --out"
  }
}
