import Glibc

/// What went wrong around a run: its files, not what was measured. The description is one sentence for a person.
public enum HarnessError: Error, Equatable, CustomStringConvertible {
  /// A profile that is not there, cannot be read, or contradicts itself.
  case profile(path: String, reason: String)
  /// A report that is not there or cannot be read.
  case report(path: String, reason: String)
  /// A file that could not be written; what was there before is still there.
  case write(path: String, reason: String)
  /// A report that no run may be compared with, or that cannot be compared.
  case comparison(path: String, reason: String)
  /// Reports that are no parts of one run.
  case merge(reason: String)
  /// Another run is writing there.
  case folderInUse(path: String)

  /// One sentence for a person: what could not be done, the reason, the remedy.
  public var description: String {
    switch self {
    case .profile(let path, let reason):
      "Could not read the profile \(path): \(reason); choose one of \(Profile.builtInNames.joined(separator: ", "))"
        + " or correct the file."
    case .report(let path, let reason):
      "Could not read the report \(path): \(reason); make it again with `swiftwing bench`."
    case .write(let path, let reason):
      "Could not write \(path): \(reason); \(Self.remedy(for: reason))."
    case .comparison(let path, let reason):
      "Could not compare with \(path): it \(reason); make it again with `swiftwing bench`."
    case .merge(let reason):
      "Could not merge the reports: \(reason)."
    case .folderInUse(let path):
      "Could not write to \(path): another run is writing its report there; choose another directory with --out."
    }
  }

  /// What helps against a reason in the system's words; they may stand inside a clause.
  private static func remedy(for reason: String) -> String {
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
