import CCurl
import System

/// The methods by which the engine's thread fills a transfer.
extension Transfer {
  /// Takes one header line, including its line end. A return value other than `count` ends the transfer.
  func tookHeader(_ pointer: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    lastByte = ticks()
    guard let pointer else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: pointer, count: count)
    let line = String(decoding: bytes, as: UTF8.self)
    let isTooMuch = state.withLock { state in
      state.headerBytes += count
      guard state.headerBytes <= Self.headerLimit else { return true }
      state.take(header: line)
      return false
    }
    wakeReader()
    return isTooMuch ? 0 : count
  }

  func tookBytes(_ pointer: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    lastByte = ticks()
    guard let pointer else { return 0 }
    if released != nil { return count }
    let taken = state.withLock { state in
      guard state.bytes.count < Self.highWater else {
        state.isPaused = true
        return false
      }
      state.bytes.append(contentsOf: UnsafeRawBufferPointer(start: pointer, count: count))
      return true
    }
    wakeReader()
    return taken ? count : Int(curl_write_pause)
  }

  /// Sets the outcome, if it is not set yet.
  func end(_ outcome: Result<Void, TransferError>) {
    state.withLock { $0.outcome = $0.outcome ?? outcome }
    wakeReader()
  }

  private func wakeReader() {
    let reader = state.withLock { state in
      guard state.hasNews else { return nil as CheckedContinuation<Void, Never>? }
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume()
  }
}

extension Transfer.State {
  /// Whether to wake a waiting reader: the head is complete, or the exchange has ended.
  var hasNews: Bool { headIsComplete || outcome != nil }

  /// Takes a header line. A status line begins a new answer (after an interim one); an empty line completes the head.
  mutating func take(header line: String) {
    let line = line.trimmingSuffix { $0 == "\r\n" || $0 == "\r" || $0 == "\n" }
    if line.hasPrefix("HTTP/") {
      head = ResponseHead(status: line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
    } else if line.isEmpty {
      headIsComplete = head.status >= 200
    } else if let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      head.headers[line[..<colon].lowercased()] = String(value.trimmingSuffix { $0 == " " || $0 == "\t" })
    }
  }
}

extension StringProtocol {
  func trimmingSuffix(while predicate: (Character) -> Bool) -> SubSequence {
    var end = endIndex
    while end > startIndex, predicate(self[index(before: end)]) { end = index(before: end) }
    return self[..<end]
  }
}
