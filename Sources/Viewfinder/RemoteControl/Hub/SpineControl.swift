package import Capture
package import Dock
package import Imagery
package import JSON

/// What the viewfinder asks of a reader of spines, and of a library that is shown beside the picture.
package protocol SpineControl: Sendable {
  /// Takes the camera's frames.
  var output: any FrameOutput { get }
  /// The members `spines`, `queue` and `library` of the state document.
  func state() async -> [String: JSONValue]
  /// What a photo is taken with that goes into the library; nil where none does.
  var photoSettings: PhotoSettings? { get }
  /// Why no photo may be taken now, as a sentence; nil where one may.
  var refusal: String? { get }
  /// A photo was taken; it goes into the library's queue.
  /// - Returns: what became of it; nil where photos go into no library.
  func accept(_ photo: [UInt8]) async -> PhotoAcceptance?
  /// Reads on, or no more.
  func read(_ isOn: Bool) async -> CommandOutcome
  /// What stands around each spine that was read last, in the upright picture.
  func outlines() async -> [DockRect]
  /// - Parameter tell: called after each change of the state; must not block.
  func observe(_ tell: @escaping @Sendable () -> Void) async
  /// Nothing is read any more.
  func end() async
}

/// What became of a photo that was handed to a library.
package enum PhotoAcceptance: Hashable, Sendable {
  /// It is on disk, and will be delivered once.
  case queued
  /// It shows what an earlier one did, and was not queued.
  case knownAlready
  /// It was not queued, for this reason.
  case refused(String)
}
