import System

/// Runs what blocks, such as another program, on a thread of its own. The tasks of a process share as many threads as
/// there are processors: in the lab that is one, and whoever blocks it holds up the session.
/// - Throws: what `body` does; `ResourceShortage` when the process may not start another thread.
package func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws
  -> Value
{
  try await withCheckedThrowingContinuation { continuation in
    do throws(ResourceShortage) {
      try NamedThread.start(name: "aside") { continuation.resume(with: Result { try body() }) }
    } catch { continuation.resume(throwing: error) }
  }
}
