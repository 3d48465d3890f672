package import JSON

/// What changed between two documents, as a JSON Merge Patch (RFC 7396). A member that has gone, or has become null, is null in the patch:
/// to a client both are the same.
package enum MergePatch {
  /// - Returns: nil where nothing changed.
  package static func difference(from old: JSONValue, to new: JSONValue) -> JSONValue? {
    guard old != new else { return nil }
    guard case .object(let before) = old, case .object(let after) = new else { return new }
    var patch: [String: JSONValue] = [:]
    for (key, value) in after {
      let former = before[key] ?? .null
      if let change = difference(from: former, to: value) { patch[key] = whole(change, after: former) }
    }
    for (key, value) in before where after[key] == nil && value != .null { patch[key] = .null }
    return patch.isEmpty ? nil : .object(patch)
  }

  /// An object that takes the place of something else must not carry members that are null: the patch would mean the same, and say more.
  private static func whole(_ change: JSONValue, after former: JSONValue) -> JSONValue {
    if case .object = former { change } else { stripped(change) }
  }

  /// The document that a patch makes of another.
  package static func applied(_ patch: JSONValue, to document: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var members: [String: JSONValue] = [:]
    if case .object(let present) = document { members = present }
    for (key, change) in changes {
      members[key] = change == .null ? nil : applied(change, to: members[key] ?? .null)
    }
    return .object(members)
  }

  /// Without the members that are null, in objects at every level outside lists.
  package static func stripped(_ value: JSONValue) -> JSONValue {
    guard case .object(let members) = value else { return value }
    return .object(members.filter { $0.value != .null }.mapValues(stripped))
  }
}
