import BookScan
import Imagery

/// Lines and numbers over the picture of a photo, in pixels of the upright photo.
struct PhotoDrawing {
  private let size: PixelSize
  /// Of numbers, pixels of the photo.
  let letter: Int

  /// - Parameter room: for each number, pixels of the photo. A number is a 60th of the longer side at most, and half of that at least.
  init(_ size: PixelSize, room: Double = .infinity) {
    self.size = size
    let largest = Double(size.longSide) / 60
    letter = Int(max(1, largest / 2, min(largest, room)))
  }

  /// - Parameter shapes: SVG in which whatever came from outside is escaped.
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
    return #"<text x="\#(x)" y="\#(y)" text-anchor="\#(anchor)" font-size="\#(letter)">\#(text)</text>"#
  }

  private static func number(_ value: Double) -> String {
    // What lies far outside is not to be seen anyway.
    String(value.isFinite ? Int(min(max(value, -1e6), 1e6).rounded()) : 0)
  }
}
