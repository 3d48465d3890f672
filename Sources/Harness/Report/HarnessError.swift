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
      "Could not write \(path): \(reason); free some space or choose another directory with --out."
    case .comparison(let path, let reason):
      "Could not compare with \(path): it \(reason); make it again with `swiftwing bench`."
    case .merge(let reason):
      "Could not merge the reports: \(reason)."
    case .folderInUse(let path):
      "Could not write to \(path): another run is writing its report there; choose another directory with --out."
    }
  }
}
