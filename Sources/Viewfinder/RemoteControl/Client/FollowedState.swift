package import JSON

/// A client's copy of the state document, built from the first message of a link and the changes after it. Losing the link clears it, so that no
/// client acts on an outdated state.
package struct FollowedState: Sendable {
  package enum News: Equatable, Sendable {
    case changed
    /// A message that is no part of the state, such as an answer or an event.
    case other
    /// A change is missing, or a message is invalid: the document cannot be trusted, and the link must be reopened.
    case broken
  }

  /// The document. Nil before the first message, and after the link was lost.
  package private(set) var document: JSONValue?
  package private(set) var revision = 0

  package init() {}

  package mutating func take(_ message: JSONValue) -> News {
    guard let fields = try? JSONFields(message), let type = try? fields.string("type") else { return .broken }
    switch type {
    case "state":
      guard let number = try? fields.integer("revision", in: 0...Int.max), let state = fields.members["state"]
      else { return .broken }
      document = state
      revision = number
      return .changed
    case "change":
      guard let document, let number = try? fields.integer("revision", in: 0...Int.max),
        number == revision + 1, let change = fields.members["change"]
      else {
        lose()
        return .broken
      }
      self.document = MergePatch.applied(change, to: document)
      revision = number
      return .changed
    default: return .other
    }
  }

  /// Clears the document after the link was lost.
  package mutating func lose() { (document, revision) = (nil, 0) }
}
