/// Reads consecutive requests from a channel.
package struct RequestReader {
  package let channel: Channel
  private let limits: ServerLimits
  private let budget: Budget
  private var buffer: [UInt8] = []
  private var isFirst = true

  package init(channel: Channel, limits: ServerLimits, budget: Budget) {
    self.channel = channel
    self.limits = limits
    self.budget = budget
  }

  /// - Parameter onBody: called before each piece of the body is read.
  package mutating func next(onBody: (IncomingRequest) -> Void = { _ in }) throws(IncomingRequest.Trouble)
    -> IncomingRequest
  {
    var request = try IncomingRequest(head: try head())
    let length = try request.bodyLength(limit: limits.bodyBytes)
    try readBody(&request, length, onBody: onBody)
    return request
  }

  /// Returns and removes the bytes read after the last request: the first bytes of another protocol to which the connection switches.
  package mutating func takeRest() -> [UInt8] {
    defer { buffer = [] }
    return buffer
  }

  /// Reads the bytes before the first empty line, and removes that line too. A line end before a request is ignored (RFC 9112, section 2.2).
  private mutating func head() throws(IncomingRequest.Trouble) -> [UInt8] {
    let end: [UInt8] = [13, 10, 13, 10]
    var patience = Patience(seconds: isFirst ? limits.headSeconds : limits.idleSeconds)
    isFirst = false
    var (hasBegun, seen) = (false, 0)
    while true {
      if !hasBegun, !buffer.isEmpty {
        hasBegun = true
        patience = Patience(seconds: limits.headSeconds)
        if buffer.starts(with: [13, 10]) { buffer.removeFirst(2) }
      }
      if let start = buffer.firstIndex(of: end, from: max(seen - 3, 0)) {
        guard start <= IncomingRequest.headLimit else { throw .tooLarge }
        defer { buffer.removeFirst(start + end.count) }
        return Array(buffer[..<start])
      }
      seen = buffer.count
      guard buffer.count <= IncomingRequest.headLimit else { throw .tooLarge }
      do { buffer += try channel.read(1 << 14, &patience) } catch {
        throw error == .late && hasBegun ? .late : .ended
      }
    }
  }

  /// Reads the body. Received bytes are counted against the budget as they arrive, and each extends the time limit.
  private mutating func readBody(
    _ request: inout IncomingRequest, _ length: Int, onBody: (IncomingRequest) -> Void
  ) throws(IncomingRequest.Trouble) {
    guard length > 0 else { return }
    let share = Share(of: budget)
    request.share = share
    guard share.grow(to: ServerLimits.leastUpload) else { throw .busy }
    var body = Array(buffer.prefix(length))
    buffer.removeFirst(body.count)
    var patience = Patience(seconds: limits.headSeconds)
    while body.count < length {
      onBody(request)
      let bytes: [UInt8]
      do { bytes = try channel.read(min(1 << 16, length - body.count), &patience) } catch {
        throw error == .late ? .late : .ended
      }
      guard share.grow(to: body.count + bytes.count) else { throw .busy }
      body += bytes
      patience.seconds += Double(bytes.count) / limits.bytesPerSecond
    }
    guard share.grow(to: length) else { throw .busy }
    request.body = body
  }
}

extension [UInt8] {
  /// The first index of `pattern` at or after `start` and before `end`.
  package func firstIndex(of pattern: [UInt8], from start: Int = 0, upTo end: Int? = nil) -> Int? {
    let end = end ?? count
    guard let first = pattern.first, end >= pattern.count else { return nil }
    var at = start
    while at <= end - pattern.count, let found = self[at..<end].firstIndex(of: first) {
      guard found <= end - pattern.count else { return nil }
      if self[found..<found + pattern.count].elementsEqual(pattern) { return found }
      at = found + 1
    }
    return nil
  }
}
