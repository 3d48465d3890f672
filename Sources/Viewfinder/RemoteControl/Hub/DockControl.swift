package import Capture
package import Dock
package import JSON

/// What the viewfinder asks of a motorised dock. Without one, every command of a dock is refused and its state says why.
package protocol DockControl: Sendable {
  /// The session is the dock's from now on: it looks at its frames and turns its camera.
  func attach(to session: CaptureSession) async
  /// All motion ends, and the session is let go.
  func detach() async
  /// The member `dock` of the state document.
  func state() async -> JSONValue
  /// One command whose name begins with `dock`.
  /// - Parameter client: who gave it: what one client holds down ends when that client goes.
  func perform(_ command: String, _ arguments: [String: JSONValue], client: Int) async -> CommandOutcome
  /// The client is gone, or its link is lost: a motion that it held ends.
  func lost(client: Int) async
  /// These may be followed too, such as the spines of books that were read; in the upright picture.
  func offer(_ rects: [DockRect]) async
  /// What buttons and dials say from now on.
  func buttons() async -> AsyncStream<DockEvent>
  /// - Parameter tell: called after each change of the state; must not block.
  func observe(_ tell: @escaping @Sendable () -> Void) async
}
