import ArgumentParser
import Console
import Imagery

struct Tokens: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tokens",
    abstract: "Print what a picture of a size costs by each token profile, and the best size for a budget.",
    usage: "swiftwing tokens WxH... [--budget PROFILE] [--max-tokens N] [--json]",
    discussion: TokenProfile.all.map { "\($0.id): \($0.title) (\($0.asOf))" }.joined(separator: "\n")
      + """


      Profiles of your own are read from the file that SWIFTWING_TOKENS names, or from swiftwing/tokens.json in the user's \
      folder for configuration; they are written as in Profiles/tokens.json. One with the id of one of these takes its place.
      """)

  @Argument(help: ArgumentHelp("Sizes in pixels.", valueName: "WxH")) var sizes: [String]
  @Option(help: ArgumentHelp("Use only this profile.", valueName: "PROFILE")) var budget: String?
  @Option(help: ArgumentHelp("Also print the best size that costs at most this.", valueName: "N"))
  var maxTokens: Int?
  @Flag(help: "Print JSON.") var json = false

  func validate() throws {
    guard maxTokens ?? 1 > 0 else {
      throw ValidationError("--max-tokens must be above zero, not \(maxTokens ?? 1)")
    }
  }

  struct Row: Encodable {
    var width: Int
    var height: Int
    var profile: String
    var title: String
    var source: String
    var asOf: String
    var tokens: Int
    var best: Best?

    struct Best: Encodable {
      var width: Int
      var height: Int
      var tokens: Int
    }
  }

  func run() throws {
    let profiles = try budget.map { [try TokenProfiles.named($0)] } ?? TokenProfiles.known()
    let rows = try sizes.map(Self.size).flatMap { size in profiles.map { row(size, $0) } }
    if json { return try Terminal.say(json: rows) }
    for row in rows { Terminal.say(line(row)) }
  }

  private func row(_ size: PixelSize, _ profile: TokenProfile) -> Row {
    let best = maxTokens.flatMap { profile.bestSize(for: size, maxTokens: $0) }
    return Row(
      width: size.width, height: size.height, profile: profile.id, title: profile.title,
      source: profile.source,
      asOf: profile.asOf, tokens: profile.tokens(for: size),
      best: best.map { Row.Best(width: $0.width, height: $0.height, tokens: profile.tokens(for: $0)) })
  }

  private func line(_ row: Row) -> String {
    let size = "\(row.width)×\(row.height)"
    let tokens = "\(row.tokens)"
    let best = row.best.map { "  best \($0.width)×\($0.height) at \($0.tokens)" }
    return size + Self.pad(size, 12) + row.profile + Self.pad(row.profile, 18) + Self.pad(tokens, 7) + tokens
      + " tokens" + (best ?? (maxTokens == nil ? "" : "  no size fits"))
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count))
  }

  private static func size(_ text: String) throws -> PixelSize {
    guard let size = PixelSize(text), size.longSide <= 1_000_000 else {
      throw ValidationError("\(text) is not WxH in pixels, such as 1024x768")
    }
    return size
  }
}
