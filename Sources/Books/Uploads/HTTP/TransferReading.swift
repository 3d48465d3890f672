import System

/// A running HTTP exchange, as seen by the task that reads it.
struct HTTPStream: Sendable {
  let head: ResponseHead
  let transfer: Transfer
  let transport: Transport

  /// The next bytes of the body, as received. Nil at its end. Yields first, so that a server that never pauses blocks neither timers nor a
  /// cancellation.
  func next() async throws(TransferError) -> [UInt8]? {
    await Task.yield()
    if Task.isCancelled {
      cancel()
      throw transfer.cancelled
    }
    while true {
      try await transport.wait(for: transfer) { !$0.bytes.isEmpty || $0.outcome != nil }
      let (bytes, wasPaused, outcome) = transfer.state.withLock { state in
        defer {
          state.bytes = []
          state.isPaused = false
        }
        return (state.bytes, state.isPaused, state.outcome)
      }
      if wasPaused { transport.resume(transfer) }
      if !bytes.isEmpty { return bytes }
      try outcome?.get()
      if outcome != nil { return nil }
    }
  }

  /// Releases an answer whose end is near. Its connection is kept if the end arrives in time.
  func release() { transport.release(transfer) }

  /// Releases an answer that has sent all its data, and waits for its end, at most a moment.
  func settle() async {
    release()
    try? await transport.wait(for: transfer) { $0.outcome != nil }
  }

  /// Cancels the exchange before its end, and closes its connection.
  func cancel() { transport.cancel(transfer) }

  /// The whole body.
  /// - Throws: `tooLarge` if it exceeds `limit` bytes.
  func body(limit: Int) async throws(TransferError) -> [UInt8] {
    var body: [UInt8] = []
    while let bytes = try await next() {
      body += bytes
      guard body.count <= limit else {
        cancel()
        throw TransferError(
          kind: .tooLarge, host: transfer.host, reason: "the answer is larger than \(limit) bytes")
      }
    }
    return body
  }
}
