import CCairo

/// One or more lines of text, measured and ready to draw.
final class Lettering {
  /// The size of the text's line boxes, in the canvas's units.
  let width: Double
  let height: Double
  private let canvas: Canvas
  private let layout: OpaquePointer

  /// - Parameters:
  ///   - size: the font size, in the canvas's units.
  ///   - spacing: the extra space between letters, in the canvas's units.
  init(_ text: String, _ typeface: Typeface, size: Double, spacing: Double = 0, on canvas: Canvas) {
    self.canvas = canvas
    layout = pango_cairo_create_layout(canvas.context)
    Self.pin(pango_layout_get_context(layout))
    let description = pango_font_description_from_string(typeface.description)
    pango_font_description_set_absolute_size(description, size * Double(PANGO_SCALE))
    pango_layout_set_font_description(layout, description)
    pango_font_description_free(description)
    pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER)
    if spacing != 0 {
      let attributes = pango_attr_list_new()
      pango_attr_list_insert(attributes, pango_attr_letter_spacing_new(Int32(spacing * Double(PANGO_SCALE))))
      pango_layout_set_attributes(layout, attributes)
      pango_attr_list_unref(attributes)
    }
    pango_layout_set_text(layout, text, -1)
    var extents = PangoRectangle()
    pango_layout_get_extents(layout, nil, &extents)
    width = Double(extents.width) / Double(PANGO_SCALE)
    height = Double(extents.height) / Double(PANGO_SCALE)
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

  /// Disables hinting and the rounding of positions, so that a glyph has one shape whatever the machine's settings.
  private static func pin(_ context: OpaquePointer?) {
    let options = cairo_font_options_create()
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    pango_cairo_context_set_font_options(context, options)
    cairo_font_options_destroy(options)
    pango_context_set_round_glyph_positions(context, 0)
    pango_cairo_context_set_resolution(context, 96)
  }

  /// Draws the text centred at (`x`, `y`).
  func draw(x: Double, y: Double, _ color: Color) {
    cairo_set_source_rgba(canvas.context, color.red, color.green, color.blue, color.alpha)
    cairo_move_to(canvas.context, x - width / 2, y - height / 2)
    pango_cairo_show_layout(canvas.context, layout)
  }
}
