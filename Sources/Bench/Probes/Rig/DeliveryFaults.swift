/// What a client of the backend may get wrong on purpose, in `swiftwing-tool trial protocol`.
public enum ProtocolMistake: String, Hashable, Sendable, CaseIterable {
  /// The picture is not said to be one.
  case wrongForm = "wrong-form"
  /// It tries again at once.
  case impatient
  /// It makes a new connection for every request.
  case loneConnections = "lone-connections"
}

/// How the backend may read the books of a shelf wrongly on purpose, in `swiftwing-tool trial station`.
public enum Misreading: String, Hashable, Sendable, CaseIterable {
  /// No spine is seen.
  case noBooks = "no-books"
  /// A book has another title in every photo, so that it comes into the library again and again.
  case doubleBooks = "double-books"
  /// All books of a photo have one ISBN, so that they become one.
  case mergedBooks = "merged-books"
}
