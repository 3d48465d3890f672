package import Capture
package import JSON

/// What the viewfinder asks of a reader of spines, and of a library that is shown beside the picture.
package protocol SpineControl: Sendable {
  /// Takes the camera's frames.
  var output: any FrameOutput { get }
  /// The members `spines`, `queue` and `library` of the state document.
  func state() async -> [String: JSONValue]
  /// Reads on, or no more.
  func read(_ isOn: Bool) async -> CommandOutcome
  /// - Parameter tell: called after each change of the state; must not block.
  func observe(_ tell: @escaping @Sendable () -> Void) async
  /// Nothing is read any more.
  func end() async
}
