package import JSON
import System

/// The state document, its revision, and the clients that follow it. Every client sees each revision once, in order.
package final class StatePublisher: Sendable {
  private struct State {
    var document = JSONValue.object([:])
    var revision = 0
    var clients: [Int: ControlClient] = [:]
  }

  private let state = Locked(State())

  package init() {}

  /// Adds a client. It is sent the whole document now, and every change from then on.
  package func attach(_ client: ControlClient) {
    state.withLock { state in
      state.clients[client.number] = client
      client.send(
        .object([
          "type": .string("state"), "revision": .whole(state.revision), "state": state.document,
        ]))
    }
  }

  package func detach(_ client: ControlClient) {
    state.withLock { state in _ = state.clients.removeValue(forKey: client.number) }
  }

  /// - Returns: the present revision.
  @discardableResult package func publish(_ document: JSONValue) -> Int {
    state.withLock { state in
      guard let change = MergePatch.difference(from: state.document, to: document) else {
        return state.revision
      }
      state.document = document
      state.revision += 1
      let line = JSONSerializer.line(
        .object(["type": .string("change"), "revision": .whole(state.revision), "change": change]))
      for client in state.clients.values { client.send(line: line) }
      return state.revision
    }
  }

  package var revision: Int { state.withLock { $0.revision } }
  package var document: JSONValue { state.withLock { $0.document } }
  package var clients: [ControlClient] { state.withLock { Array($0.clients.values) } }

  /// Sends an event, which is not part of the state.
  /// - Parameter isEvidence: whether the event may be left out for a client with many waiting messages.
  package func tell(event: String, _ members: [String: JSONValue] = [:], isEvidence: Bool = false) {
    let line = JSONSerializer.line(
      .object(members.merging(["type": .string("event"), "event": .string(event)]) { $1 }))
    for client in clients { if isEvidence { client.offer(line: line) } else { client.send(line: line) } }
  }
}
