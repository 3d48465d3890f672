import Imagery

@testable import BookScan

/// Draws a shelf: flat spines side by side with dark gaps, 40 pixels wide and 400 high.
/// - Parameter paint: the colour of a pixel (x, y), instead of the shelf's; nil to keep it.
func shelf(
  _ colors: [(UInt8, UInt8, UInt8)], gap: Int = 3,
  paint: (Int, Int) -> (UInt8, UInt8, UInt8)? = { _, _ in nil }
) throws -> UprightPhoto {
  let size = PixelSize(width: 40 * colors.count, height: 440)
  let image = try PixelBufferPool().makeBuffer(ImageFormat(pixelFormat: .bgra, size: size, color: .jpeg))
  let base = image.planes[0].base.assumingMemoryBound(to: UInt8.self)
  for y in 0..<size.height {
    for x in 0..<size.width {
      let isOutside = x % 40 < gap || y < 20 || y >= 420
      let color = paint(x, y) ?? (isOutside ? (5, 5, 5) : colors[x / 40])
      let pixel = base + y * image.planes[0].bytesPerRow + x * 4
      (pixel[0], pixel[1], pixel[2], pixel[3]) = (color.0, color.1, color.2, 255)
    }
  }
  return try UprightPhoto(image, orientation: .upright)
}

/// Returns the books of a photo that are sure or doubtful.
/// - Parameter isShelf: whether the photo is assumed to show a shelf, however few books it has; otherwise the model decides.
func books(
  _ photo: UprightPhoto, _ lines: [TextLine], barcodes: [BarcodeFinding] = [], isShelf: Bool = true
) -> [SpineFinding] {
  var finder = SpineFinder(photo: photo)
  if isShelf { finder.model.shelf = LogisticRegression(intercept: 50, terms: []) }
  return finder.spines(lines, barcodes: barcodes).filter { $0.certainty != .unlikely }
}

/// Returns a line of text centred at (x, y), which reads down unless `angle` differs.
func line(
  _ text: String, x: Double, y: Double, length: Double, height: Double = 14, angle: Double = 90,
  confidence: Double = 0.99
) -> TextLine {
  TextLine(
    text: text, confidence: confidence,
    region: TextRegion(center: Point(x: x, y: y), length: length, height: height, angle: angle))
}
