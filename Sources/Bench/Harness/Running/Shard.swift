/// Part K of N of a run, for CI that runs the parts in parallel.
public struct Shard: Sendable, Hashable, Codable, CustomStringConvertible {
  /// K, 1...count.
  public let index: Int
  /// N, at most 1,000.
  public let count: Int

  /// - Parameter text: `K/N` with 1 ≤ K ≤ N ≤ 1,000; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1], index >= 1, index <= count,
      count <= 1000
    else {
      return nil
    }
    self.index = index
    self.count = count
  }

  /// Decodes the shard from the JSON string `K/N`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let shard = Shard(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not K/N with 1 ≤ K ≤ N")
    }
    self = shard
  }

  /// Encodes the shard as typed, such as `2/3`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Returns every N-th element, starting at the K-th. The shards together contain each element exactly once.
  public func select<Element>(from elements: [Element]) -> [Element] {
    stride(from: index - 1, to: elements.count, by: count).map { elements[$0] }
  }

  /// The shard as typed, such as `2/3`.
  public var description: String { "\(index)/\(count)" }
}
