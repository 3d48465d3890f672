import Dispatch
import Foundation
import JSON
import System

@testable import RemoteControl

/// A temporary folder that is removed with the object.
final class TestFolder: Sendable {
  let path = FileManager.default.temporaryDirectory.appending(path: "viewfinder-\(UUID().uuidString)").path

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
  func write(_ text: String, to name: String) {
    _ = FileManager.default.createFile(atPath: "\(path)/\(name)", contents: Data(text.utf8))
  }
  func link(_ name: String, to other: String) throws {
    try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: other)
  }
}

/// A client of the hub that records all its messages.
final class Listener: Sendable {
  private struct Heard {
    var messages: [JSONValue] = []
    var answers: [String: JSONValue] = [:]
    var isOver = false
  }

  let client: ControlClient
  private let heard = Locked(Heard())

  init(_ number: Int, isViewer: Bool = false) {
    client = ControlClient(number: number, isViewer: isViewer) {}
    NamedThread.detached(name: "listener") { [client, heard] in
      while let line = client.next() {
        guard let message = try? JSONParser.parse(line) else { continue }
        heard.withLock { heard in
          heard.messages.append(message)
          if case .string("answer") = message["type"], case .string(let id) = message["id"] {
            heard.answers[id] = message
          }
        }
        heard.notify()
      }
      heard.withLock { $0.isOver = true }
      heard.notify()
    }
  }

  var messages: [JSONValue] { heard.withLock { $0.messages } }

  /// Returns the answer to a command; nil if the client is disconnected first.
  func answer(_ id: String) async -> JSONValue? {
    await wait { heard in heard.answers[id].map { .some($0) } ?? (heard.isOver ? .some(nil) : nil) }
  }

  /// Returns the first message that `fits` accepts, earlier messages included; nil if the client is disconnected first.
  func first(_ fits: @escaping @Sendable (JSONValue) -> Bool) async -> JSONValue? {
    await wait { heard in
      heard.messages.first(where: fits).map { .some($0) } ?? (heard.isOver ? .some(nil) : nil)
    }
  }

  /// Waits until the changes received so far give this document.
  func follows(to document: JSONValue) async {
    let goal = JSONSerializer.line(MergePatch.stripped(document))
    _ = await wait { heard in
      var state = FollowedState()
      for message in heard.messages { _ = state.take(message) }
      let line = state.document.map { JSONSerializer.line(MergePatch.stripped($0)) }
      return line == goal || heard.isOver ? .some(nil) : nil
    }
  }

  /// Waits for a result of `body`. After five minutes the client counts as disconnected, so a missing message does not block all
  /// following tests.
  private func wait(_ body: @escaping @Sendable (Heard) -> JSONValue??) async -> JSONValue? {
    let result = Locked<JSONValue?>(nil)
    let patience = DispatchWorkItem { [heard] in
      heard.withLock { $0.isOver = true }
      heard.notify()
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + 300, execute: patience)
    defer { patience.cancel() }
    await NamedThread.aside(name: "waiting") { [heard] in
      let found = heard.wait { body($0) }
      result.withLock { $0 = found }
    }
    return result.withLock { $0 }
  }
}

extension JSONValue {
  subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }
}

extension ViewfinderHub {
  /// Sends a command as a client does, and waits for its answer.
  nonisolated func ask(
    _ listener: Listener, _ name: String, _ arguments: [String: JSONValue] = [:], id: String
  ) async -> JSONValue? {
    send(listener, name, arguments, id: id)
    return await listener.answer(id)
  }

  nonisolated func send(
    _ listener: Listener, _ name: String, _ arguments: [String: JSONValue] = [:], id: String
  ) {
    take(
      JSONSerializer.line(
        .object([
          "type": .string("command"), "id": .string(id), "command": .string(name),
          "arguments": .object(arguments),
        ])), from: listener.client)
  }
}
