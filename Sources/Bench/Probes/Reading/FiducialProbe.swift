import Capture
package import Charts
import Harness
package import Imagery

/// A reader of the orientation of the mark in a finished picture.
package struct FiducialProbe {
  /// Place of the mark in the stored picture.
  let rect: ChartRect
  let stored: PixelSize

  package init(rect: ChartRect, stored: PixelSize) {
    self.rect = rect
    self.stored = stored
  }

  /// Reads the mark in a picture that was turned by `orientation`, and scaled and cropped to the size of `picture` by aspect fill.
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
