/// The stable id of a requirement, such as `LAT-1`: what rows of the report and of a profile refer to.
public struct RequirementID: Hashable, Sendable, Codable, ExpressibleByStringLiteral, CustomStringConvertible
{
  /// The id, such as `LAT-1`.
  public let rawValue: String

  /// Any text; whether the id is explained shows in `RequirementGuide`.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  /// The same, so that an id can be written as a string.
  public init(stringLiteral value: String) { rawValue = value }
  /// From a JSON string.
  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(String.self)
  }

  /// As a JSON string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// The id.
  public var description: String { rawValue }
}
