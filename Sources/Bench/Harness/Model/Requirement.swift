/// The stable id of a requirement, such as `LAT-1`. Rows of the report and of a profile refer to it.
public struct RequirementID: Hashable, Sendable, Codable, ExpressibleByStringLiteral, CustomStringConvertible
{
  /// The id, such as `LAT-1`.
  public let rawValue: String

  /// Creates an id from any text. `RequirementGuide` tells whether the id is explained.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  /// Creates an id from a string literal.
  public init(stringLiteral value: String) { rawValue = value }
  /// Decodes the id from a JSON string.
  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(String.self)
  }

  /// Encodes the id as a JSON string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// The id, such as `LAT-1`.
  public var description: String { rawValue }
}
