/// Why a `.cube` file is no look. The description is one sentence for a person.
public struct LookupError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with the file.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable name, such as `too-few-rows`.
    public let rawValue: String

    /// A code by its name; those below are the ones that `ColorLookup` throws.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It has no byte, or none but blanks and comments.
    public static let empty = Code(rawValue: "empty")
    /// It is not text.
    public static let notText = Code(rawValue: "not-text")
    /// Nothing says how large its table is.
    public static let noSize = Code(rawValue: "no-size")
    /// Its table is smaller than two, or larger than the limits.
    public static let badSize = Code(rawValue: "bad-size")
    /// Its domain ends before it begins, or is not one.
    public static let badDomain = Code(rawValue: "bad-domain")
    /// A line is neither a keyword nor a row of three numbers.
    public static let badLine = Code(rawValue: "bad-line")
    /// A number is infinite or none.
    public static let notFinite = Code(rawValue: "not-finite")
    /// Rows are missing.
    public static let tooFewRows = Code(rawValue: "too-few-rows")
    /// There are more rows than the size says.
    public static let tooManyRows = Code(rawValue: "too-many-rows")
    /// A keyword that no specification of the format has: it might change what the numbers mean.
    public static let unknownKeyword = Code(rawValue: "unknown-keyword")
    /// The file cannot be read at all.
    public static let unreadable = Code(rawValue: "unreadable")
    /// More bytes than `ColorLookup.mostBytes`.
    public static let tooLarge = Code(rawValue: "too-large")
  }

  /// What is wrong, for programs.
  public let code: Code
  /// The line it was found in, from 1; nil when it is not about one line.
  public let line: Int?
  /// What was found, in words.
  public let reason: String

  private let remedy: String

  init(
    _ code: Code, line: Int? = nil, _ reason: String, remedy: String = "export it again as a .cube file"
  ) {
    self.code = code
    self.remedy = remedy
    self.line = line
    self.reason = reason
  }

  /// One sentence: what was being done, the reason, the remedy.
  public var description: String {
    let place = line.map { "in line \($0) " } ?? ""
    return "Cannot read the look because \(place)\(reason); \(remedy)."
  }
}
