package import Capture
package import Dock
package import JSON

/// The viewfinder's interface to a motorised dock. Without a dock, its commands are refused, and its state gives the reason.
package protocol DockControl: Sendable {
  /// Gives the session to the dock, which analyses its frames and moves its camera.
  func attach(to session: CaptureSession) async
  /// Ends all motion, and releases the session.
  func detach() async
  /// The member `dock` of the state document.
  func state() async -> JSONValue
  /// Performs a command whose name begins with `dock`.
  /// - Parameter client: the number of the client. A motion that a client holds ends when that client goes.
  func perform(_ command: String, _ arguments: [String: JSONValue], client: Int) async -> CommandOutcome
  /// Ends the motion that a client held, because the client is gone or its link is lost.
  func lost(client: Int) async
  /// Offers more rectangles that may be followed, such as the spines of books, in the upright picture.
  func offer(_ rects: [DockRect]) async
  /// The events of buttons and dials from now on.
  func buttons() async -> AsyncStream<DockEvent>
  /// - Parameter tell: called after each change of the state; must not block.
  func observe(_ tell: @escaping @Sendable () -> Void) async
}
