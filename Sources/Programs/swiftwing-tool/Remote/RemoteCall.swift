import Console
import Harness
import JSON
import RemoteControl
import Settings

/// One command of a remote and its answer.
struct RemoteCall {
  let name: String
  var arguments: [String: JSONValue] = [:]

  /// The longest time until an answer, seconds. A photo with a paused camera waits for the camera.
  private static let patience = 30.0

  /// Sends the command and prints its result.
  /// - Throws: status 1 if the command was refused, 4 if the link is lost.
  func run(at place: RemotePlace, json: Bool) throws {
    let link = try place.link()
    defer { link.end() }
    try run(on: link, json: json)
  }

  func run(on link: ControlLink, json: Bool) throws { try tell(try answer(of: link), json: json) }

  /// Sends the command.
  /// - Returns: true. A refusal is thrown as an error.
  func isAccepted(by link: ControlLink) throws -> Bool {
    let answer = try answer(of: link)
    try check(answer)
    return true
  }

  /// Sends the command and waits for its answer.
  /// - Throws: status 4 if there is no answer.
  func answer(of link: ControlLink) throws -> JSONFields {
    let id = "\(UInt64.random(in: 0...UInt64.max))"
    link.send(
      .object([
        "type": .string("command"), "id": .string(id), "command": .string(name),
        "arguments": .object(arguments),
      ]))
    while let message = link.receive(within: Self.patience) {
      guard let fields = try? JSONFields(message), (try? fields.string("type")) == "answer",
        (try? fields.string("id")) == id
      else { continue }
      return fields
    }
    throw Failure(
      "\(name) was not answered: the connection to the viewfinder was lost; check that `swiftwing view --serve` still runs",
      .sourceUnavailable)
  }

  private func tell(_ answer: JSONFields, json: Bool) throws {
    if json {
      Terminal.say(
        document: String(decoding: JSONSerializer.line(.object(answer.members)), as: UTF8.self))
    }
    try check(answer)
    if !json { Terminal.say(Self.text(name, answer.members["result"])) }
  }

  private func check(_ answer: JSONFields) throws {
    guard (try? answer.string("status")) != "accepted" else { return }
    let reason = (try? answer.string("reason")) ?? "the viewfinder gave no reason"
    throw Failure("\(name) was refused: \(reason)", .failed)
  }

  /// Returns the text about an accepted command.
  static func text(_ name: String, _ result: JSONValue?) -> String {
    guard case .object(let members)? = result, !members.isEmpty else { return "\(name): done" }
    let parts = members.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.brief)" }
    return "\(name): \(parts.joined(separator: ", "))"
  }
}
