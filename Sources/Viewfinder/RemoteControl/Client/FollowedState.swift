package import JSON

/// The state document as a client has it: made of the first message of a link, and of each change since. A lost link clears it, so that nobody
/// acts on what held before.
package struct FollowedState: Sendable {
  package enum News: Equatable, Sendable {
    /// The document is another one now.
    case changed
    /// Something else, such as an answer or an event.
    case other
    /// A change is missing, or a message is none: the document cannot be trusted, and the link is to be made anew.
    case broken
  }

  /// Nil before the first message, and after the link was lost.
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

  /// The link is lost.
  package mutating func lose() { (document, revision) = (nil, 0) }
}
