import Foundation
import System

extension Profile {
  /// Names of the profiles that are compiled in from `Profiles/`, so that the program finds them wherever it runs.
  public static let builtInNames = ["seed", "strict"]
  /// Largest profile that is read, in bytes.
  private static let sizeLimit = 1 << 20

  /// - Parameter nameOrPath: `seed`, `strict`, or the path of a profile file.
  public static func load(_ nameOrPath: String) throws(HarnessError) -> Profile {
    switch nameOrPath {
    case "seed": return try decode(Data(PackageResources.seed_json), path: "seed")
    case "strict": return try decode(Data(PackageResources.strict_json), path: "strict")
    default:
      let bytes: [UInt8]
      do throws(RegularFile.Trouble) { bytes = try RegularFile.read(nameOrPath, atMost: sizeLimit) } catch {
        throw .profile(path: nameOrPath, reason: error.reason(atMost: sizeLimit).lowercasedFirst)
      }
      return try decode(Data(bytes), path: nameOrPath)
    }
  }

  static func decode(_ data: Data, path: String) throws(HarnessError) -> Profile {
    let profile: Profile
    do { profile = try JSONDecoder().decode(Profile.self, from: data) } catch {
      throw .profile(path: path, reason: DecodingProblem.describe(error))
    }
    if let flaw = profile.flaw { throw .profile(path: path, reason: flaw) }
    return profile
  }

  /// The first flaw that decoding does not catch, as a clause. Nil if there is none.
  private var flaw: String? {
    if schema != Self.schema { return "its schema is `\(schema)`, not `\(Self.schema)`" }
    if let twice = Dictionary(grouping: limits, by: \.metric).first(where: { $0.value.count > 1 }) {
      return "`\(twice.key)` has more than one limit"
    }
    if let limit = limits.first(where: { !$0.value.isFinite || $0.minimumCount ?? 1 < 1 }) {
      return "the limit on `\(limit.metric)` is not finite, or asks for fewer than 1 sample"
    }
    let unsound = tolerances.contains { (entry) -> Bool in
      let tolerance: Tolerance = entry.tolerance
      return !(tolerance.relative >= 0) || !(tolerance.absolute >= 0) || !(tolerance.detectable > 0)
    }
    return unsound ? "a tolerance is negative" : nil
  }
}
