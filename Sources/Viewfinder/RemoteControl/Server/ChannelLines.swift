package import HTTPService

/// Reads lines of bounded length from a channel.
package struct ChannelLines {
  private let channel: Channel
  private let limit: Int
  private var buffer: [UInt8] = []
  private var seen = 0

  package init(channel: Channel, limit: Int) { (self.channel, self.limit) = (channel, limit) }

  /// The next line without its line end. Nil at the end, if the line is too long, or if nothing arrived for `seconds`, by default for ever.
  package mutating func next(within seconds: Double = .infinity) -> [UInt8]? {
    while true {
      if let end = buffer[seen...].firstIndex(of: 10) {
        defer {
          buffer.removeSubrange(...end)
          seen = 0
        }
        return Array(buffer[..<end])
      }
      seen = buffer.count
      guard buffer.count <= limit else { return nil }
      var patience = Patience(seconds: seconds)
      guard let bytes = try? channel.read(1 << 16, &patience) else { return nil }
      buffer += bytes
    }
  }
}
