package import JSON

/// What the viewfinder asks of a motorised dock. Without one, every command of a dock is refused and its state says why.
package protocol DockControl: Sendable {
  /// The member `dock` of the state document.
  func state() async -> JSONValue
  /// One command whose name begins with `dock`.
  /// - Parameter client: who gave it: what one client holds down ends when that client goes.
  func perform(_ command: String, _ arguments: [String: JSONValue], client: Int) async -> CommandOutcome
  /// The client is gone, or its link is lost: a motion that it held ends.
  func lost(client: Int) async
  /// - Parameter tell: called after each change of the state; must not block.
  func observe(_ tell: @escaping @Sendable () -> Void) async
}
