import System

/// A running exchange as the task that asked for it sees it.
struct HTTPStream: Sendable {
  let head: ResponseHead
  let transfer: Transfer
  let transport: Transport

  /// The next bytes of the body, as they have come; `nil` at its end. Others have their turn before: a server that never
  /// pauses must keep neither timers nor a cancellation waiting.
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

  /// Has no more interest in the answer, whose end is near: the connection is kept when it comes in time.
  func release() { transport.release(transfer) }

  /// Waits, a moment at most, for the end of an answer that has told all there is to tell.
  func settle() async {
    release()
    try? await transport.wait(for: transfer) { $0.outcome != nil }
  }

  /// Lets go of the connection before the end.
  func cancel() { transport.cancel(transfer) }

  /// The whole body.
  /// - Throws: `tooLarge` past `limit` bytes.
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
