import System

/// Runs blocking work, such as another program, on a thread of its own. Swift's tasks share as many threads as there are processors. The
/// lab has a single processor, so blocking its thread would hold up the session.
/// - Throws: errors of `body`; `ResourceShortage` if the process may not start another thread.
package func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws
  -> Value
{
  try await withCheckedThrowingContinuation { continuation in
    do throws(ResourceShortage) {
      try NamedThread.start(name: "aside") { continuation.resume(with: Result { try body() }) }
    } catch { continuation.resume(throwing: error) }
  }
}
