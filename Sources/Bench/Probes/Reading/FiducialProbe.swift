import Capture
package import Charts
import Harness
package import Imagery

/// Which way up the mark in a finished picture is.
package struct FiducialProbe {
  /// The mark's square in the stored picture.
  let rect: ChartRect
  let stored: PixelSize

  package init(rect: ChartRect, stored: PixelSize) {
    self.rect = rect
    self.stored = stored
  }

  /// A picture that was turned by `orientation` and scaled, or cropped as aspect-fill does, to its own size.
  package func reading(in picture: PixelBuffer, orientation: Orientation) -> FiducialReading? {
    let geometry = AspectFill(source: stored, orientation: orientation, surface: picture.format.size)
    let center = geometry.surfacePoint(
      device: (Double(rect.x) + Double(rect.width) / 2, Double(rect.y) + Double(rect.height) / 2))
    let filled = orientation.applied(to: stored)
    let scale = max(
      Double(picture.format.size.width) / Double(filled.width),
      Double(picture.format.size.height) / Double(filled.height))
    return Fiducial.identify(
      in: picture, center: ChartPoint(x: center.x, y: center.y), side: Double(rect.width) * scale)
  }
}
