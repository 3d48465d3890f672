/// A mistake that a client of the backend makes on purpose, in `swiftwing-tool trial protocol`.
public enum ProtocolMistake: String, Hashable, Sendable, CaseIterable {
  /// The picture's part of the form is not declared as a picture.
  case wrongForm = "wrong-form"
  /// The client retries at once.
  case impatient
  /// The client opens a new connection for every request.
  case loneConnections = "lone-connections"
}

/// A way in which the backend misreads the books of a shelf on purpose, in `swiftwing-tool trial station`.
public enum Misreading: String, Hashable, Sendable, CaseIterable {
  /// No spine is seen.
  case noBooks = "no-books"
  /// A book has another title in every photo, so that it is added to the library repeatedly.
  case doubleBooks = "double-books"
  /// All books of a photo have the same ISBN, so that they are merged.
  case mergedBooks = "merged-books"
}
