package import Capture

/// What a viewfinder shows and where it keeps what it takes.
package struct ViewfinderConfiguration: Sendable {
  /// The main camera.
  package var source: any CameraSource
  /// Why it is that one, where nobody has named one, as a sentence.
  package var sourceReason: String?
  /// Other lenses, by how much larger they show things.
  package var lenses: [LensList.Lens] = []
  /// Where videos and photos go: folders that are there.
  package var recordings = "."
  package var photos = "."
  /// Of encoded pictures, 1…100.
  package var quality = 80
  /// Of encoded pictures, in pixels.
  package var longSide = 1280
  /// Without a viewer for so long the camera is let go; nil never.
  package var pause: Duration? = .seconds(30)
  /// The settings file; nil for the user's own.
  package var settingsPath: String?
  /// The folder of the looks that can be chosen; nil for the user's own.
  package var looks: String?
  package var dock: (any DockControl)?
  package var spines: (any SpineControl)?

  package init(source: any CameraSource) { self.source = source }
}
