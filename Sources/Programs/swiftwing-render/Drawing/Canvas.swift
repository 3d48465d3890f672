import CCairo
import Charts
import Imagery

/// A colour in the screen's colour space, each component 0…1.
struct Color: Hashable {
  var red: Double
  var green: Double
  var blue: Double
  var alpha = 1.0

  /// Creates a colour from `0xRRGGBB`.
  init(_ hex: UInt32, alpha: Double = 1) {
    red = Double(hex >> 16 & 0xFF) / 255
    green = Double(hex >> 8 & 0xFF) / 255
    blue = Double(hex & 0xFF) / 255
    self.alpha = alpha
  }

  func with(alpha: Double) -> Color {
    var color = self
    color.alpha = alpha
    return color
  }
}

/// A rectangle in the canvas's current units.
struct DrawnBox {
  var x: Double
  var y: Double
  var width: Double
  var height: Double
}

/// A picture drawn with Cairo: 8 bits per colour, no hinting, grey antialiasing, so that the picture is the same on every machine.
final class Canvas {
  let size: PixelSize
  private let surface: OpaquePointer
  let context: OpaquePointer

  init(_ size: PixelSize) {
    self.size = size
    surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(size.width), Int32(size.height))
    context = cairo_create(surface)
    cairo_set_antialias(context, CAIRO_ANTIALIAS_GRAY)
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// Calls `body` with the pixels, of four bytes each: blue, green, red, unused.
  func withPixels(_ body: (_ base: UnsafePointer<UInt8>, _ bytesPerRow: Int) -> Void) {
    cairo_surface_flush(surface)
    guard let base = cairo_image_surface_get_data(surface) else { return }
    body(base, Int(cairo_image_surface_get_stride(surface)))
  }

  /// Draws with the origin moved to (`x`, `y`) and the axes turned clockwise by quarter turns and by `tilt` in radians.
  func turned(x: Double, y: Double, quarterTurns: Int = 0, tilt: Double = 0, _ body: () -> Void) {
    cairo_save(context)
    cairo_translate(context, x, y)
    // Use exact values for quarter turns; cosine and sine of a rounded angle would not be exact.
    let (cosine, sine) = [(1.0, 0.0), (0, 1), (-1, 0), (0, -1)][(quarterTurns % 4 + 4) % 4]
    var matrix = cairo_matrix_t(xx: cosine, yx: sine, xy: -sine, yy: cosine, x0: 0, y0: 0)
    cairo_transform(context, &matrix)
    if tilt != 0 { cairo_rotate(context, tilt) }
    body()
    cairo_restore(context)
  }

  func clipped(to box: DrawnBox, _ body: () -> Void) {
    cairo_save(context)
    cairo_rectangle(context, box.x, box.y, box.width, box.height)
    cairo_clip(context)
    body()
    cairo_restore(context)
  }

  func fill(_ box: DrawnBox, _ color: Color) {
    cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
    cairo_rectangle(context, box.x, box.y, box.width, box.height)
    cairo_fill(context)
  }

  /// Fills a box with a gradient from top to bottom, or from left to right.
  func fill(_ box: DrawnBox, stops: [(Double, Color)], isHorizontal: Bool) {
    let pattern = cairo_pattern_create_linear(
      box.x, box.y, isHorizontal ? box.x + box.width : box.x, isHorizontal ? box.y : box.y + box.height)
    for (offset, color) in stops {
      cairo_pattern_add_color_stop_rgba(pattern, offset, color.red, color.green, color.blue, color.alpha)
    }
    cairo_set_source(context, pattern)
    cairo_rectangle(context, box.x, box.y, box.width, box.height)
    cairo_fill(context)
    cairo_pattern_destroy(pattern)
  }

  /// Draws a smooth line from `from` to `to`, bent by `bow` in the middle.
  func stroke(from: (Double, Double), to: (Double, Double), bow: Double, width: Double, _ color: Color) {
    cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
    cairo_set_line_width(context, width)
    cairo_move_to(context, from.0, from.1)
    let third = (to.0 - from.0) / 3
    cairo_curve_to(context, from.0 + third, from.1 + bow, to.0 - third, to.1 - bow, to.0, to.1)
    cairo_stroke(context)
  }

  func fillCircle(x: Double, y: Double, radius: Double, _ color: Color) {
    cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
    cairo_arc(context, x, y, radius, 0, 2 * Double.pi)
    cairo_fill(context)
  }
}

/// Draws with `factor` pixels per unit.
func cairoScaled(_ canvas: Canvas, by factor: Double, _ body: () -> Void) {
  cairo_save(canvas.context)
  cairo_scale(canvas.context, factor, factor)
  body()
  cairo_restore(canvas.context)
}

extension Canvas {
  /// Draws the fiducial mark on a white card.
  func paintFiducial(centerX: Double, centerY: Double, side: Double) {
    let (left, top, cell) = (centerX - side / 2, centerY - side / 2, side / Double(Fiducial.side))
    let margin = cell * 0.8
    fill(
      DrawnBox(x: left - margin, y: top - margin, width: side + 2 * margin, height: side + 2 * margin),
      Color(0x9A9A98))
    for row in 0..<Fiducial.side {
      for column in 0..<Fiducial.side {
        fill(
          DrawnBox(x: left + Double(column) * cell, y: top + Double(row) * cell, width: cell, height: cell),
          Color(Fiducial.isLight(column: column, row: row) ? 0xE4E4E2 : 0x1A1A1C))
      }
    }
  }
}
