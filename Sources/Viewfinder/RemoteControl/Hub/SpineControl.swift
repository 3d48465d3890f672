package import Capture
package import Dock
package import Imagery
package import JSON

/// The viewfinder's interface to a reader of spines, and to a library that is shown beside the picture.
package protocol SpineControl: Sendable {
  /// The output that takes the camera's frames.
  var output: any FrameOutput { get }
  /// The members `spines`, `queue` and `library` of the state document.
  func state() async -> [String: JSONValue]
  /// The settings for photos that go into the library. Nil if none do.
  var photoSettings: PhotoSettings? { get }
  /// The reason why no photo may be taken now, as a sentence. Nil if photos may be taken.
  var refusal: String? { get }
  /// Adds a photo to the library's queue.
  /// - Returns: the outcome. Nil if photos do not go into a library.
  func accept(_ photo: [UInt8]) async -> PhotoAcceptance?
  /// Starts or stops reading.
  func read(_ isOn: Bool) async -> CommandOutcome
  /// Corrects a book of the library, and confirms it. A value that is nil stays as it is.
  func edit(_ book: Int64, title: String?, author: String?) async -> CommandOutcome
  /// The outlines of the spines that were read last, in the upright picture.
  func outlines() async -> [DockRect]
  /// - Parameter tell: called after each change of the state; must not block.
  func observe(_ tell: @escaping @Sendable () -> Void) async
  /// Ends reading for good.
  func end() async
}

/// The outcome of adding a photo to a library.
package enum PhotoAcceptance: Hashable, Sendable {
  /// The photo is on disk, and will be delivered once.
  case queued
  /// The photo shows the same as an earlier photo, and was not queued.
  case knownAlready
  /// The photo was not queued, for this reason.
  case refused(String)
}
