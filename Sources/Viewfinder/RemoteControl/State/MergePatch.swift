package import JSON

/// The difference between two documents, as a JSON Merge Patch (RFC 7396). A member that was removed or became null is null in the patch: a
/// client cannot tell the two apart.
package enum MergePatch {
  /// - Returns: nil if nothing changed.
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

  /// Removes null members from an object that replaces a value of another type. They would not change the meaning, only lengthen the patch.
  private static func whole(_ change: JSONValue, after former: JSONValue) -> JSONValue {
    if case .object = former { change } else { stripped(change) }
  }

  /// The document after applying a patch.
  package static func applied(_ patch: JSONValue, to document: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var members: [String: JSONValue] = [:]
    if case .object(let present) = document { members = present }
    for (key, change) in changes {
      members[key] = change == .null ? nil : applied(change, to: members[key] ?? .null)
    }
    return .object(members)
  }

  /// The value without null members, in objects at every level outside arrays.
  package static func stripped(_ value: JSONValue) -> JSONValue {
    guard case .object(let members) = value else { return value }
    return .object(members.filter { $0.value != .null }.mapValues(stripped))
  }
}
