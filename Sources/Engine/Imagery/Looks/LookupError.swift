/// An error of reading a `.cube` file. The description is one sentence for a person.
public struct LookupError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable name, such as `too-few-rows`.
    public let rawValue: String

    /// Creates a code from its name. `ColorLookup` throws only the constants below.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file has no bytes, or only blanks and comments.
    public static let empty = Code(rawValue: "empty")
    /// The file is not text.
    public static let notText = Code(rawValue: "not-text")
    /// The size of the table is missing.
    public static let noSize = Code(rawValue: "no-size")
    /// The size of the table is below two, or above the limits.
    public static let badSize = Code(rawValue: "bad-size")
    /// The domain ends before it begins, or is invalid.
    public static let badDomain = Code(rawValue: "bad-domain")
    /// A line is neither a keyword nor a row of three numbers.
    public static let badLine = Code(rawValue: "bad-line")
    /// A number is infinite or not a number.
    public static let notFinite = Code(rawValue: "not-finite")
    /// Rows are missing.
    public static let tooFewRows = Code(rawValue: "too-few-rows")
    /// There are more rows than the size allows.
    public static let tooManyRows = Code(rawValue: "too-many-rows")
    /// A keyword that no specification of the format has: it might change the meaning of the numbers.
    public static let unknownKeyword = Code(rawValue: "unknown-keyword")
    /// The file cannot be read at all.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The file has more bytes than `ColorLookup.mostBytes`.
    public static let tooLarge = Code(rawValue: "too-large")
  }

  /// The kind of error, for programs.
  public let code: Code
  /// The number of the line with the error, from 1; nil if the error is not in one line.
  public let line: Int?
  /// The error in words.
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

  /// One sentence: the action, the reason, the remedy.
  public var description: String {
    let place = line.map { "in line \($0) " } ?? ""
    return "Cannot read the look because \(place)\(reason); \(remedy)."
  }
}
