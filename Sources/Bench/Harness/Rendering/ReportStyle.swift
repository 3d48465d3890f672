/// The styles of the pages that this program writes.
package enum ReportStyle {
  /// Colours by the reader's wish (light or dark), type, links, forms and drawings: the same in every page. `docs/images/elements.html` shows them all.
  package static var house: String { String(decoding: PackageResources.house_css, as: UTF8.self) }

  /// The pattern by which drawings hatch what needs attention. A page with drawings has it once.
  static let patterns = """
    <svg class="patterns" width="0" height="0" aria-hidden="true"><defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" \
    patternTransform="rotate(45)"><path class="hatch" d="M0 0V5"/></pattern></defs></svg>
    """

  /// The styles of a report's page.
  package static var css: String { house + String(decoding: PackageResources.report_css, as: UTF8.self) }
}
