package import Capture

/// The cameras, folders and picture settings of a viewfinder.
package struct ViewfinderConfiguration: Sendable {
  /// The main camera.
  package var source: any CameraSource
  /// The reason why this camera was chosen if the user named none, as a sentence.
  package var sourceReason: String?
  /// The other lenses, with their magnification relative to the main camera.
  package var lenses: [LensList.Lens] = []
  /// The existing folder for videos.
  package var recordings = "."
  /// The existing folder for photos.
  package var photos = "."
  /// The quality of encoded pictures, 1…100.
  package var quality = 80
  /// The longer side of encoded pictures in pixels.
  package var longSide = 1280
  /// The time without a viewer after which the camera is released. Nil for never.
  package var pause: Duration? = .seconds(30)
  /// The settings file. Nil for the user's own.
  package var settingsPath: String?
  /// The folder of the looks. Nil for the user's own.
  package var looks: String?
  package var dock: (any DockControl)?
  package var spines: (any SpineControl)?

  package init(source: any CameraSource) { self.source = source }
}
