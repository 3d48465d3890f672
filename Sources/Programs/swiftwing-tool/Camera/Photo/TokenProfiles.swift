import Glibc
import Harness
import Imagery
import Settings

/// The token profiles of a command: those of the program, and the user's own.
enum TokenProfiles {
  /// Returns `SWIFTWING_TOKENS`, or `swiftwing/tokens.json` in the user's configuration folder.
  static func userFile() -> (path: String, isNamed: Bool) {
    if let named = getenv("SWIFTWING_TOKENS"), named[0] != 0 { return (String(cString: named), true) }
    return ("\(SettingsFile.standardFolder())/tokens.json", false)
  }

  /// Returns all profiles. A user's profile replaces the program's profile with the same id.
  /// - Throws: `Failure` if the user's file cannot be used. A default file may be missing.
  static func known() throws -> [TokenProfile] {
    let (path, isNamed) = userFile()
    if !isNamed, access(path, F_OK) != 0 { return TokenProfile.all }
    let file = InputFile(
      path: path, purpose: "use the token profiles of", advice: ("name a file in it", "name a JSON file"),
      mebibytes: 1)
    let bytes = try file.bytes()
    do throws(TokenFileError) {
      let own = try TokenProfile.read(bytes)
      return TokenProfile.all.map { known in own.first { $0.id == known.id } ?? known }
        + own.filter { TokenProfile.named($0.id) == nil }
    } catch {
      throw Failure(
        "cannot use the token profiles of \(path): \(error); correct it, or move it away", .usage)
    }
  }

  /// Returns the profile with this id. Without an id, returns the seed profile.
  /// - Throws: `Failure` if there is none, or if the user's file cannot be used.
  static func named(_ id: String?) throws -> TokenProfile {
    let profiles = try known()
    guard let profile = profiles.first(where: { $0.id == id ?? "seed" }) else {
      throw Failure(
        "there is no token profile \(id ?? "seed"); there are \(profiles.map(\.id).joined(separator: ", "))",
        .usage)
    }
    return profile
  }
}
