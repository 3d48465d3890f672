import BookScan
import Imagery

/// Lines and numbers over a photo, in pixels of the upright photo.
struct PhotoDrawing {
  private let size: PixelSize
  /// The height of numbers, pixels of the photo.
  let letter: Int

  /// Creates a drawing.
  /// - Parameter letter: the height of numbers, pixels of the photo; by default a 60th of the longer side.
  init(_ size: PixelSize, letter: Int? = nil) {
    self.size = size
    self.letter = max(1, letter ?? size.longSide / 60)
  }

  /// Returns the drawing.
  /// - Parameter shapes: SVG in which all text from outside is escaped.
  func svg(_ shapes: [String]) -> String {
    #"<svg viewBox="0 0 \#(size.width) \#(size.height)" preserveAspectRatio="none" aria-hidden="true">"#
      + shapes.joined() + "</svg>"
  }

  func polygon(_ points: [Point], kind: String) -> String {
    let corners = points.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
    return #"<polygon class="\#(kind)" points="\#(corners)"/>"#
  }

  func rectangle(_ box: Box, kind: String) -> String {
    let (x, y) = (Self.number(box.x), Self.number(box.y))
    let (width, height) = (Self.number(box.width), Self.number(box.height))
    return #"<rect class="\#(kind)" x="\#(x)" y="\#(y)" width="\#(width)" height="\#(height)"/>"#
  }

  func text(_ text: String, at point: Point, anchor: String = "start") -> String {
    let (x, y) = (Self.number(point.x), Self.number(point.y))
    return
      #"<text x="\#(x)" y="\#(y)" text-anchor="\#(anchor)" style="font-size:\#(letter)px">\#(text)</text>"#
  }

  private static func number(_ value: Double) -> String {
    // Clamps coordinates: what lies far outside is invisible anyway.
    String(value.isFinite ? Int(min(max(value, -1e6), 1e6).rounded()) : 0)
  }
}
